//! `kanzen duel`: measures how often a fallible opponent slips against a style of perfect play.

use kanzen::Outcome;
use kanzen_query::{DuelReport, Model, Style, TURNS};

use crate::args::GameArg;
use crate::exit::Ending;
use crate::open_game::open_entry;
use crate::output::{Lean, Paint, Table, Tone};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::words;

const EXAMPLES: &str = "\
The style never gives value away; each of its moves is checked against the database, and the exit
status is 1 if one did. The opponent slips when a move gets him less than his due. Both have either
side in turn, unless one side has lost already: who has lost cannot slip. The same seed gives the
same numbers on any number of threads.

Styles: solid (the first best move), uniform (any best move), trap (most replies slip), patient
(most material). Opponents: perfect, random, errs:E (any move in E of his turns), reads:H (sees ends
at most H plies away), haworth:C (better moves are likelier, by the power C).

Examples:
  kanzen duel tictactoe --against errs:0.1
  kanzen duel morris-6 --style uniform --against reads:4 --games 10000 --seed 7
  kanzen duel tictactoe --against random --from 'X../.O./... X'";

/// Count how often a fallible opponent slips against a perfect style
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Duel {
    #[command(flatten)]
    game: GameArg,

    /// How the perfect side chooses: solid, uniform, trap or patient
    #[arg(long, value_name = "STYLE", default_value = "trap")]
    style: Style,

    /// The opponent: perfect, random, errs:E, reads:H or haworth:C
    #[arg(long, value_name = "MODEL")]
    against: Model,

    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least_one)]
    games: u64,

    /// What the lots are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Where each game begins [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,

    /// In lost positions, lose as slowly as possible before anything else
    #[arg(long)]
    delay: bool,
}

fn at_least_one(text: &str) -> Result<u64, &'static str> {
    text.parse()
        .ok()
        .filter(|games| (1..=1_000_000_000).contains(games))
        .ok_or("expected a number of games, at least 1")
}

impl Duel {
    /// Plays the games and prints by which turn the opponent had slipped.
    pub fn run(self, settings: &Settings) -> anyhow::Result<Ending> {
        let entry = self.game.entry(settings)?;
        let game = entry.info().id.as_str();
        let solved = open_entry(&entry, settings)?;
        solved.keep(settings.kept());
        let start = solved.at(self.from.as_deref())?;
        let (style, against) = (self.style, self.against);
        let duel = kanzen_query::Duel { style, delay: self.delay, against, games: self.games, seed: self.seed };
        let report = {
            let progress = Progress::new(game, settings.quiet);
            start.duel(&duel, &settings.budget, &progress)?
        };
        if settings.json {
            settings.output.json(&report)?;
        } else {
            let begun = start.probe()?;
            let decided = begun.score.is_none() && begun.value != Outcome::Draw;
            settings.output.print(render(&report, decided, settings.output.paint))?;
        }
        Ok(if report.lost_value == 0 { Ending::Done } else { Ending::Mismatch })
    }
}

fn render(report: &DuelReport, decided: bool, paint: Paint) -> String {
    let DuelReport { game, style, against, games, .. } = report;
    let played = words::counted(*games, "game");
    let mut text = format!("{}  {style} against {against}: {played}\n\n", paint.text(Tone::Bold, game));
    let columns =
        [("by turn", Lean::Right), ("slipped", Lean::Right), ("share", Lean::Right), ("95 % sure", Lean::Left)];
    let mut table = Table::new(columns);
    for by in &report.slips {
        let sure = format!("{:.1} to {:.1}%", 100.0 * by.low, 100.0 * by.high);
        let share = words::percent(by.games, *games);
        table.row([words::count(by.turn.into()).into(), words::count(by.games).into(), share.into(), sure.into()]);
    }
    text += &table.show(paint);
    text += &match report.median_turn {
        Some(turn) => format!("\n  Half of the games have a slip by turn {turn}.\n"),
        None => format!("\n  Fewer than half of the games have a slip by turn {}.\n", TURNS[TURNS.len() - 1]),
    };
    if decided {
        text += "  One side has lost from the start, and who has lost cannot slip: the style has that side.\n";
    }
    text += &match report.lost_value {
        0 => "  The style gave nothing away.\n".to_owned(),
        lost => format!("  The style gave value away {}: its database is wrong.\n", words::counted(lost, "time")),
    };
    text
}
