//! The board of animal shogi: tiles that point at the opponent, and hands.

use kanzen::view::{Hands, Shape, Side, Tone, View};

const ANIMALS: [(char, &str); 5] = [('L', "獅"), ('G', "麒"), ('E', "象"), ('C', "雛"), ('H', "鶏")];

pub fn view() -> View {
    let mut view = View::grid(4, 3)
        .hands(Hands::Letters)
        .sides(Side::new("b", "First player", "先手", Tone::Light), Side::new("w", "Second player", "後手", Tone::Brown))
        .japanese(
            "どうぶつしょうぎ",
            "動物を一つ動かすか、取った動物を打つ。ひよこは盤上で一番奥の段に進むとにわとりに成り、取られるとひよこに戻る。\
             相手のライオンを取るか、自分のライオンが一番奥の段に無事にたどり着けば勝ち。終わらない場合は引き分け。",
        );
    for (letter, mark) in ANIMALS {
        view = view.marked_piece(letter, 0, Shape::Tile, mark);
        view = view.marked_piece(letter.to_ascii_lowercase(), 1, Shape::Tile, mark);
    }
    view
}
