//! Where the processes are.

use std::fmt;

/// The hosts of all processes, in the order of their numbers.
///
/// ```
/// use kanzen_mesh::Hosts;
/// let hosts = Hosts::read("# two machines\nada:4100\n\ngrace:4100\n")?;
/// assert_eq!((hosts.len(), hosts.address(1)), (2, "grace:4100"));
/// assert_eq!(Hosts::read("ada:4100\nada:4100\n").unwrap_err().to_string(), "line 2 is the same as line 1");
/// # Ok::<(), kanzen_mesh::BadHosts>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Vec<String>);

/// What is wrong with a file of hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadHosts(String);

impl fmt::Display for BadHosts {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for BadHosts {}

/// More processes than this are a mistake.
const MOST: usize = 4096;

impl Hosts {
    /// Reads a line `host:port` for each process; empty lines and those that begin with `#` do not count.
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
            0 => Err(BadHosts("no line names a process".to_owned())),
            many if many > MOST => Err(BadHosts(format!("{many} processes are more than {MOST}"))),
            _ => Ok(Hosts(hosts.into_iter().map(|(_, host)| host).collect())),
        }
    }

    /// How many processes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The address of a process.
    ///
    /// # Panics
    /// If there is no such process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// The name of a process in a sentence.
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
    fn a_line_that_is_no_address_is_named() {
        for (text, wrong) in [
            ("a:1\nb\n", "line 2 is not host:port"),
            ("a:0", "line 1 is not host:port"),
            ("a:70000", "line 1 is not host:port"),
            ("a b:1", "line 1 is not host:port"),
            (":1", "line 1 is not host:port"),
            ("\n# nobody\n", "no line names a process"),
        ] {
            assert_eq!(Hosts::read(text).unwrap_err().to_string(), wrong);
        }
        assert_eq!(Hosts::read("[::1]:4100").unwrap().address(0), "[::1]:4100");
    }
}
