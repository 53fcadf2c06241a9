//! The rooms of the house: no room depends on a later one.
//!
//! The paths that the code names ([`paths`]) make a graph of rooms ([`house`]). An edge against the order is a problem,
//! one line each. The graph is drawn ([`picture`]) into docs/images/rooms.svg and as a table into docs/rooms.md, between
//! `<!-- rooms -->` and `<!-- /rooms -->`; and the files of the page's walks must be there ([`walk`]).

mod files;
mod house;
mod paths;
mod picture;
mod tokens;
mod walk;

use std::path::Path;

use anyhow::{Context, Result};

use crate::problem::Problem;

const PAGE: &str = "docs/rooms.md";
const PICTURE: &str = "docs/images/rooms.svg";
const OPEN: &str = "<!-- rooms -->\n";
const CLOSE: &str = "\n<!-- /rooms -->";

/// Draws the rooms, and tells what is against their order.
pub fn write(root: &Path) -> Result<Vec<Problem>> {
    let drawn = Drawn::of(root)?;
    for (name, text) in [(PAGE, &drawn.page), (PICTURE, &drawn.picture)] {
        if std::fs::read_to_string(root.join(name)).ok().as_ref() != Some(text) {
            std::fs::write(root.join(name), text).with_context(|| format!("cannot write {name}"))?;
            println!("{name}: changed");
        }
    }
    Ok(drawn.problems)
}

/// Tells what is against the order of the rooms, and which of the two drawings are not of this code.
pub fn check(root: &Path) -> Result<Vec<Problem>> {
    let mut drawn = Drawn::of(root)?;
    for (name, text) in [(PAGE, &drawn.page), (PICTURE, &drawn.picture)] {
        if std::fs::read_to_string(root.join(name)).ok().as_ref() != Some(text) {
            drawn.problems.push(Problem::with(name, "the rooms are not as the code has them: run `cargo xtask rooms`"));
        }
    }
    if drawn.problems.is_empty() {
        println!("{} edges between rooms, none against their order", drawn.edges);
    }
    Ok(drawn.problems)
}

/// The page and the picture as they should be.
struct Drawn {
    page: String,
    picture: String,
    edges: usize,
    problems: Vec<Problem>,
}

impl Drawn {
    fn of(root: &Path) -> Result<Drawn> {
        let house = house::survey(root)?;
        let text = std::fs::read_to_string(root.join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
        let mut problems = walk::check(root, PAGE, &text);
        let page = filled(&text, &picture::table(&house)).unwrap_or_else(|| {
            problems.push(Problem::with(PAGE, format!("has no {} before {}", OPEN.trim(), CLOSE.trim())));
            text.clone()
        });
        problems.splice(..0, house.offences.iter().cloned());
        Ok(Drawn { page, picture: picture::svg(&house), edges: house.uses.len(), problems })
    }
}

/// The page with this between its marks.
fn filled(page: &str, table: &str) -> Option<String> {
    let start = page.find(OPEN)? + OPEN.len();
    let end = start + page[start..].find(CLOSE)?;
    Some(format!("{}\n{table}\n{}", &page[..start], &page[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_stands_between_the_marks() {
        let page = "a\n<!-- rooms -->\n\nold\n\n<!-- /rooms -->\nb";
        let once = filled(page, "new").unwrap();
        assert_eq!(once, "a\n<!-- rooms -->\n\nnew\n\n<!-- /rooms -->\nb");
        assert_eq!(filled(&once, "new").unwrap(), once);
        assert_eq!(filled("a\n<!-- /rooms -->\n<!-- rooms -->\n", "new"), None);
    }

    #[test]
    fn the_rooms_of_this_checkout_are_in_order() {
        assert_eq!(check(&crate::workspace::root().unwrap()).unwrap(), []);
    }
}
