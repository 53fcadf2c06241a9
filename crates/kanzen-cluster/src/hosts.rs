//! The list of processes of a cluster and their addresses.

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
pub struct Hosts(Vec<String>);

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
        let mut hosts: Vec<(usize, String)> = Vec::new();
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
            if let Some((first, _)) = hosts.iter().find(|(_, known)| known == line) {
                return Err(BadHosts(format!("line {number} is the same as line {first}")));
            }
            hosts.push((number, line.to_owned()));
        }
        match hosts.len() {
            0 => Err(BadHosts("no process is listed".to_owned())),
            many if many > MAX_PROCESSES => {
                Err(BadHosts(format!("{many} processes exceed the limit of {MAX_PROCESSES}")))
            }
            _ => Ok(Hosts(hosts.into_iter().map(|(_, host)| host).collect())),
        }
    }

    /// Returns the number of processes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the address of a process.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// Returns the name of a process for messages.
    pub(crate) fn name(&self, process: usize) -> String {
        match self.0.get(process) {
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
}
