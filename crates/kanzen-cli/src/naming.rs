//! How a command line names a game.

/// The arguments that name a game. A catalogue with variants of a game may take options for them.
pub trait Naming: clap::Args {
    /// The name in the catalogue.
    fn id(&self) -> anyhow::Result<String>;
}

/// A game by its name alone.
#[derive(clap::Args)]
pub struct GameName {
    /// The game, as `kanzen games` names it
    #[arg(value_name = "GAME")]
    name: String,
}

impl Naming for GameName {
    fn id(&self) -> anyhow::Result<String> {
        Ok(self.name.clone())
    }
}
