//! The board of Ostle: squares with a hole that moves, and ways off on all four sides.

use kanzen::view::{Shape, Side, Tone, View};

use super::ko::Ko;
use super::rules::Ostle;

pub fn view(game: &Ostle) -> View {
    let most =
        if game.pieces == 2 * game.army.most { String::new() } else { format!("（駒{}個まで）", game.pieces) };
    let (ko, reading) = match game.ko {
        Ko::Literal => ("2手前と同じ盤面", ""),
        Ko::Symmetric => ("2手前と同じ盤面（回転・鏡映も含む）", "・対称コウ"),
    };
    View::grid(5, 5)
        .rows_joined_by("-")
        .empty('0')
        .seen_by_the_mover()
        .history_after('/')
        .sides(Side::new("", "First player", "先手", Tone::Light), Side::new("", "Second player", "後手", Tone::Dark))
        .piece('1', Some(0), Shape::Disc)
        .piece('2', Some(1), Shape::Disc)
        .piece('3', None, Shape::Hole)
        .exit("off-left", None, -1.0, 0.0)
        .exit("off-right", None, 1.0, 0.0)
        .exit("off-up", None, 0.0, -1.0)
        .exit("off-down", None, 0.0, 1.0)
        .japanese(
            format!("オストル{most}{reading}"),
            format!(
                "自分の駒を縦横に1歩動かす。前にある駒は並んだまま押される。または穴を隣の空きマスへ動かす。盤の外や穴に\
                 落ちた駒は取り除かれ、駒が残り{}個になった側の負け。{ko}に戻す手は指せない。終わらない場合は引き分け。",
                game.army.least - 1
            ),
        )
}
