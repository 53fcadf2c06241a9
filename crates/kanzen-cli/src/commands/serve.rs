//! `kanzen serve`: serves the explorer and the HTTP API.

use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

use kanzen_web::{Options, Server};
use serde_json::json;

use crate::exit::Ending;
use crate::settings::Settings;
use crate::signals::{self, Manner};

const EXAMPLES: &str = "\
The page shows the board of every game with the value and distance of each move, and plays
perfectly. The HTTP API gives the JSON of the other commands: GET /api/games, /api/GAME/probe,
/api/GAME/line, /api/GAME/stats; /api/openapi.json describes it, and /metrics is for
Prometheus. Ctrl-C and SIGTERM end it when the requests in flight are answered.

Examples:
  kanzen serve --open
  kanzen serve --allow-solve
  kanzen serve --addr 127.0.0.1:9000 --data /big/disk
  kanzen serve --cors https://games.example --log
  curl http://127.0.0.1:7878/api/tictactoe/probe";

/// Show solved games in the browser, and answer over HTTP
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7878")]
    addr: SocketAddr,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Let clients start solves of some minutes; on loopback addresses only
    #[arg(long)]
    allow_solve: bool,

    /// Let the pages of another origin ask, such as https://games.example; * is any
    #[arg(long, value_name = "ORIGIN")]
    cors: Vec<String>,

    /// Write a line to standard error for each request
    #[arg(long)]
    log: bool,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let options = Options {
            checkpoint_every: settings.checkpoint_every,
            allow_solve: self.allow_solve,
            cors: self.cors,
            log: self.log,
            ..Options::new(settings.program.name, &*settings.data, settings.budget)
        };
        let server = Server::bind(self.addr, settings.program.games.clone(), options)?;
        if let Some(warning) = warning(server.address().ip()) {
            eprintln!("{warning}");
        }
        let address = format!("http://{}/", server.address());
        signals::watch(settings.program.name, Manner::Serves);
        if settings.json {
            settings.output.json(&json!({ "address": address }))?;
        } else {
            settings.output.print(format!("Kanzen's explorer is at {address} (Ctrl-C ends it)\n"))?;
        }
        if self.open && !open(&address) {
            eprintln!("no browser could be started: open {address} yourself");
        }
        server.run(signals::asked)?;
        Ok(Ending::Done)
    }
}

/// Warns when other machines can reach the server.
fn warning(address: IpAddr) -> Option<String> {
    if address.to_canonical().is_loopback() {
        return None;
    }
    let where_from = match address.is_unspecified() {
        true => "on any of this machine's addresses".to_owned(),
        false => format!("at {address}"),
    };
    Some(format!("any client that can reach the server {where_from} may query it: there are no accounts"))
}

/// Opens an address with whatever the desktop prefers.
fn open(address: &str) -> bool {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || Stdio::null();
    Command::new(opener).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_others_can_reach_prints_a_warning() {
        let warned = |address: &str| warning(address.parse().unwrap()).unwrap_or_default();
        for alone in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(warned(alone), "", "{alone}");
        }
        let any_client = "any client that can reach the server on any of this machine's addresses may query it: there are no accounts";
        assert_eq!(warned("0.0.0.0"), any_client);
        assert_eq!(warned("::"), any_client);
        assert!(warned("192.0.2.7").starts_with("any client that can reach the server at 192.0.2.7 may query it"));
    }
}
