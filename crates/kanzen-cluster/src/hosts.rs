//! The list of processes of a cluster and their addresses.

use std::collections::HashMap;
use std::fmt;

/// The addresses of all processes, by process number.
///
/// ```
/// use kanzen_cluster::Hosts;
/// let hosts = Hosts::read("# two machines\nada:4100\n\ngrace:4100\n")?;
/// assert_eq!((hosts.len(), hosts.address(1)), (2, "grace:4100"));
/// assert_eq!(Hosts::read("ada:4100\nada:4100\n").unwrap_err().to_string(), "line 2 is the same as line 1");
/// # Ok::<(), kanzen_cluster::BadHosts>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts {
    addresses: Vec<String>,
    /// Where this process listens, if not at its address.
    listening: Option<String>,
}

/// An error in a hosts file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadHosts(String);

impl fmt::Display for BadHosts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for BadHosts {}

/// Maximum number of processes.
const MAX_PROCESSES: usize = 4096;

impl Hosts {
    /// Parses one line `host:port` per process. Ignores empty lines and lines that begin with `#`.
    pub fn read(text: &str) -> Result<Hosts, BadHosts> {
        let mut addresses: Vec<String> = Vec::new();
        let mut lines: HashMap<&str, usize> = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let is_address = line.rsplit_once(':').is_some_and(|(host, port)| {
                !host.is_empty()
                    && !line.contains(char::is_whitespace)
                    && port.parse::<u16>().is_ok_and(|port| port > 0)
            });
            if !is_address {
                return Err(BadHosts(format!("line {number} is not host:port")));
            }
            if addresses.len() == MAX_PROCESSES {
                return Err(BadHosts(format!("there are more than {MAX_PROCESSES} processes")));
            }
            if let Some(first) = lines.insert(line, number) {
                return Err(BadHosts(format!("line {number} is the same as line {first}")));
            }
            addresses.push(line.to_owned());
        }
        if addresses.is_empty() {
            return Err(BadHosts("no process is listed".to_owned()));
        }
        Ok(Hosts { addresses, listening: None })
    }

    /// The same list for a process that listens at another address than the one at which the others reach it.
    pub fn listening_at(self, address: &str) -> Hosts {
        Hosts { listening: Some(address.to_owned()), ..self }
    }

    /// Returns where process `me` listens.
    pub(crate) fn own(&self, me: usize) -> &str {
        self.listening.as_deref().unwrap_or(self.address(me))
    }

    /// Returns all addresses, by process number.
    pub(crate) fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// Returns the number of processes.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// Returns the address of a process.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }

    /// Returns the name of a process for messages.
    pub(crate) fn name(&self, process: usize) -> String {
        match self.addresses.get(process) {
            Some(address) => format!("process {process} ({address})"),
            None => format!("process {process}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_bad_line() {
        for (text, wrong) in [
            ("a:1\nb\n", "line 2 is not host:port"),
            ("a:0", "line 1 is not host:port"),
            ("a:70000", "line 1 is not host:port"),
            ("a b:1", "line 1 is not host:port"),
            (":1", "line 1 is not host:port"),
            ("\n# empty\n", "no process is listed"),
        ] {
            assert_eq!(Hosts::read(text).unwrap_err().to_string(), wrong);
        }
        assert_eq!(Hosts::read("[::1]:4100").unwrap().address(0), "[::1]:4100");
    }

    #[test]
    fn a_file_of_far_too_many_lines_is_refused_at_once() {
        let text: String = (0..60_000).map(|number| format!("host{number}:4100\n")).collect();
        let since = std::time::Instant::now();
        assert_eq!(Hosts::read(&text).unwrap_err().to_string(), "there are more than 4096 processes");
        let text: String = (0..MAX_PROCESSES).map(|number| format!("host{number}:4100\n")).collect();
        assert_eq!(Hosts::read(&text).unwrap().len(), MAX_PROCESSES);
        // With comparisons of all pairs it took six seconds.
        assert!(since.elapsed() < std::time::Duration::from_secs(1));
    }
}
