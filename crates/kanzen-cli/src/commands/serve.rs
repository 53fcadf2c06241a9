//! `kanzen serve`: the explorer.

use std::net::SocketAddr;
use std::process::{Command, Stdio};

use kanzen_web::{Options, Server};
use serde_json::json;

use crate::exit::Ending;
use crate::settings::Settings;
use crate::signals::{self, Manner};

const EXAMPLES: &str = "\
The page shows the board of every game, who wins after each move and in how many plies, and plays
perfectly. The HTTP API gives the JSON of the other commands: GET /api/games, /api/GAME/probe,
/api/GAME/line, /api/GAME/stats; /api/openapi.json describes it. Ctrl-C ends it.

Examples:
  kanzen serve --open
  kanzen serve --allow-solve
  kanzen serve --addr 127.0.0.1:9000 --data /big/disk
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

    /// Let visitors have games of some minutes solved; on loopback addresses only
    #[arg(long)]
    allow_solve: bool,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let options = Options {
            program: settings.program.name.to_owned(),
            data: settings.data.clone(),
            budget: settings.budget,
            checkpoint_every: settings.checkpoint_every,
            allow_solve: self.allow_solve,
        };
        let server = Server::bind(self.addr, settings.program.games.clone(), options)?;
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

/// Opens an address with whatever the desktop prefers.
fn open(address: &str) -> bool {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let quiet = || Stdio::null();
    Command::new(opener).arg(address).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
}
