//! Going on after bytes that are not there yet.
//!
//! Where a database is fetched by ranges, a look-up may find that it lacks some ([`Error::NotFetched`]). A question for
//! many things still asks for all of them: so one pass finds all that is lacking, and it is fetched at once. Any
//! other error ends a question at once.

use kanzen_core::vocabulary::Error;

/// All results, or the error of one.
pub(super) fn all<T>(results: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut found, mut lacking) = (Vec::with_capacity(results.size_hint().0), None);
    for result in results {
        match result {
            Ok(result) => found.push(result),
            Err(error) if error.is_not_fetched() => lacking = Some(error),
            Err(error) => return Err(error),
        }
    }
    lacking.map_or(Ok(found), Err)
}

/// Both results; the second is asked for unless the first is refused for good.
pub(super) fn both<A, B>(one: Result<A, Error>, other: impl FnOnce() -> Result<B, Error>) -> Result<(A, B), Error> {
    match one {
        Err(error) if error.is_not_fetched() => other().and(Err(error)),
        one => Ok((one?, other()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking() -> Result<u8, Error> {
        Err(Error::NotFetched { path: "plane".into() })
    }

    #[test]
    fn what_is_not_fetched_lets_the_others_be_asked_and_is_reported_at_the_end() {
        let asked = std::cell::Cell::new(0);
        let ask = |number: u8| {
            asked.set(asked.get() + 1);
            if number == 1 { lacking() } else { Ok(number) }
        };
        assert!(all((0..4).map(ask)).unwrap_err().is_not_fetched());
        assert_eq!(asked.get(), 4);
        assert_eq!(all((2..4).map(ask)).unwrap(), [2, 3]);
        assert!(both(lacking(), || ask(0)).unwrap_err().is_not_fetched());
        assert_eq!(asked.get(), 7);
        assert_eq!(both(Ok(1), || ask(2)).unwrap(), (1, 2));
    }

    #[test]
    fn any_other_error_ends_it_at_once_and_goes_before() {
        let asked = std::cell::Cell::new(0);
        let ask = |number: u8| {
            asked.set(asked.get() + 1);
            if number == 1 { Err(Error::Stopped) } else { lacking() }
        };
        assert!(matches!(all((0..4).map(ask)), Err(Error::Stopped)));
        assert_eq!(asked.get(), 2);
        assert!(matches!(both(lacking(), || ask(1)), Err(Error::Stopped)));
        assert!(matches!(both(Err::<u8, _>(Error::Stopped), || ask(0)), Err(Error::Stopped)));
        assert_eq!(asked.get(), 3);
    }
}
