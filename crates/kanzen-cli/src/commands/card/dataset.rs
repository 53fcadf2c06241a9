//! Renders the data card as JSON-LD: a Dataset of schema.org.

use kanzen::catalogue::Card;
use serde_json::{Map, Value as Json, json};

use super::{Publication, VERSION, citation, extent};

/// The whole card as JSON-LD.
pub fn dataset(card: &Card, publication: &Publication) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("@context", "https://schema.org/".into());
    put("@type", "Dataset".into());
    put("name", format!("{}, {}", card.title, extent(card)).into());
    put("alternateName", card.game.clone().into());
    put("description", description(card).into());
    put("identifier", format!("sha256:{}", card.sha256()).into());
    put("version", format!("format {}, rules {}", card.format, card.fingerprint).into());
    put("keywords", json!([card.game, "board game", extent(card), "tablebase", "Kanzen"]));
    put("citation", citation(card, publication).into());
    put("size", format!("{} B", card.bytes()).into());
    put("variableMeasured", variables(card).into());
    let program = json!({
        "@type": "SoftwareSourceCode", "name": "Kanzen", "version": VERSION, "license": "MIT OR Apache-2.0"
    });
    put("isBasedOn", program);
    put("distribution", card.files.iter().map(download).collect());
    if !publication.authors.is_empty() {
        let person = |name: &String| json!({ "@type": "Person", "name": name });
        put("creator", publication.authors.iter().map(person).collect());
    }
    if let Some(licence) = &publication.licence {
        put("license", licence.clone().into());
    }
    if let Some(run) = &publication.run {
        let facts: Vec<String> = run.facts().into_iter().map(|(name, fact)| format!("{name}: {fact}")).collect();
        put("measurementTechnique", facts.join("; ").replace('`', "").into());
        if let Some(date) = &run.date {
            put("dateCreated", date.clone().into());
        }
    }
    Json::Object(fields)
}

fn description(card: &Card) -> String {
    let holds = match card.weak {
        Some(_) => "The value of the initial position, with a line of best play.",
        None => "For every position: its value (win, loss or draw) and its depth to win.",
    };
    format!("{holds} Rules: {}", card.rules)
}

fn variables(card: &Card) -> Vec<Json> {
    let counted = |name: &str, value: u64| json!({ "@type": "PropertyValue", "name": name, "value": value });
    let mut variables = vec![
        json!({
            "@type": "PropertyValue", "name": "value",
            "description": "win, loss or draw, for the side to move"
        }),
        json!({
            "@type": "PropertyValue", "name": "distance", "unitText": "plies",
            "description": "depth to win in plies: the winner plays the shortest win, the loser the longest defence"
        }),
    ];
    if let Some(score) = card.initial.score {
        variables.push(counted_score(score));
    }
    let initial =
        json!({ "@type": "PropertyValue", "name": "value of the initial position", "value": card.initial.value });
    variables.push(initial);
    if let Some(distance) = card.initial.distance {
        variables.push(counted("distance of the initial position", distance.into()));
    }
    if card.weak.is_none() {
        let counts =
            [("positions", card.positions), ("wins", card.wins), ("losses", card.losses), ("draws", card.draws)];
        variables.extend(counts.map(|(name, count)| counted(name, count)));
        variables.extend(card.longest.map(|longest| counted("longest distance", longest.distance.into())));
    }
    variables
}

fn counted_score(score: i16) -> Json {
    json!({ "@type": "PropertyValue", "name": "score of the initial position", "value": score })
}

fn download(file: &kanzen::catalogue::CardFile) -> Json {
    let kind = if file.name.ends_with(".json") { "application/json" } else { "application/octet-stream" };
    let mut fields = Map::new();
    fields.insert("@type".into(), "DataDownload".into());
    fields.insert("name".into(), file.name.clone().into());
    fields.insert("encodingFormat".into(), kind.into());
    fields.insert("contentSize".into(), format!("{} B", file.bytes).into());
    fields.extend(file.sha256.clone().map(|digest| ("sha256".to_owned(), Json::from(digest))));
    Json::Object(fields)
}
