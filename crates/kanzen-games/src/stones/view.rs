//! The pile as the page draws it.

use kanzen::view::View;

pub fn view() -> View {
    View::pile().japanese("石取り", "山から1個、2個または3個の石を交互に取る。取れなくなった方が負け。")
}
