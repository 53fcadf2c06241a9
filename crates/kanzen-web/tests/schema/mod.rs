//! A validator for the subset of JSON Schema that this repository uses.
#![allow(dead_code)] // each test program uses a part

use std::collections::BTreeMap;

use serde_json::Value as Json;

/// Schemas by file name.
pub struct Schemas(BTreeMap<String, Json>);

impl Schemas {
    /// Creates a set of schemas.
    pub fn new<'a>(documents: impl IntoIterator<Item = (&'a str, Json)>) -> Schemas {
        Schemas(documents.into_iter().map(|(name, document)| (name.to_owned(), document)).collect())
    }

    /// Validates a value against a whole document.
    pub fn holds(&self, document: &str, value: &Json) -> Result<(), String> {
        self.check(document, &self.0[document], value)
    }

    /// Validates a value against a schema of a document. The error names the path of the first mismatch.
    pub fn check(&self, document: &str, schema: &Json, value: &Json) -> Result<(), String> {
        self.check_at(document, schema, value, "the answer")
    }

    fn check_at(&self, document: &str, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        if let Some(reference) = schema["$ref"].as_str() {
            let (file, place) = reference.split_once('#').ok_or(format!("{reference} names no place"))?;
            let file = if file.is_empty() { document } else { file.trim_start_matches("../") };
            let target = self.0.get(file).and_then(|document| document.pointer(place));
            return self.check_at(file, target.ok_or(format!("no schema {reference}"))?, value, at);
        }
        for (word, one) in [("oneOf", true), ("anyOf", false)] {
            if let Some(choices) = schema[word].as_array() {
                let tried = choices.iter().map(|choice| self.check_at(document, choice, value, at));
                let (right, wrong): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
                let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
                return match right.len() {
                    0 => Err(wrong.join(", and ")),
                    2.. if one => Err(format!("{at} is {} things of which it may be one", right.len())),
                    _ => Ok(()),
                };
            }
        }
        let kind = match value {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(number) if number.is_i64() || number.is_u64() => "integer",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        };
        let allows = |name: &Json| name == kind || (name == "number" && kind == "integer");
        let fits = schema["type"].as_array().map_or(allows(&schema["type"]), |names| names.iter().any(allows));
        if !fits {
            return Err(format!("{at} is {kind}, expected {}", schema["type"]));
        }
        if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
            return Err(format!("{at} is {value}, expected one of {}", schema["enum"]));
        }
        if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str()) {
            let pattern = regex::Regex::new(pattern).map_err(|wrong| wrong.to_string())?;
            if !pattern.is_match(text) {
                return Err(format!("{at} is {text:?}, which {pattern} does not match"));
            }
        }
        if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), value.as_f64())
            && number < least
        {
            return Err(format!("{at} is {number}, at least {least} expected"));
        }
        if let Some(items) = value.as_array() {
            let count = items.len() as u64;
            let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
            if count < least.unwrap_or(0) || count > most.unwrap_or(u64::MAX) {
                return Err(format!("{at} has {count} items"));
            }
            for (number, item) in items.iter().enumerate() {
                self.check_at(document, &schema["items"], item, &format!("{at}[{number}]"))?;
            }
        }
        self.check_fields(document, schema, value, at)
    }

    fn check_fields(&self, document: &str, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else { return Ok(()) };
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            fields.get(name).ok_or(format!("{at} lacks {name}"))?;
        }
        let (known, others) = (schema["properties"].as_object(), &schema["additionalProperties"]);
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match known.and_then(|known| known.get(name)) {
                Some(schema) => self.check_at(document, schema, field, &at)?,
                None if others.is_object() => self.check_at(document, others, field, &at)?,
                // An object schema without properties accepts any fields; otherwise all fields must be described.
                None if known.is_none() => {}
                None => return Err(format!("{at} is not described")),
            }
        }
        Ok(())
    }
}

#[test]
fn the_check_finds_what_is_wrong() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "properties": {
            "a": { "type": ["integer", "null"], "minimum": 0 },
            "b": { "type": "string", "pattern": "^x+$" },
            "c": { "oneOf": [{ "type": "integer" }, { "type": "number" }] },
            "d": { "anyOf": [{ "type": "null" }, { "$ref": "#/properties/a" }] }
        }
    });
    let schemas = Schemas::new([("it", schema)]);
    let wrong = |value: Json| schemas.holds("it", &value).err();
    assert_eq!(wrong(serde_json::json!({ "a": 3, "b": "xx", "c": 1.5, "d": 3 })), None);
    assert_eq!(wrong(serde_json::json!({ "a": null, "d": null })), None);
    assert_eq!(wrong(serde_json::json!({})).unwrap(), "the answer lacks a");
    assert_eq!(wrong(serde_json::json!({ "a": -1 })).unwrap(), "the answer.a is -1, at least 0 expected");
    assert_eq!(wrong(serde_json::json!({ "a": 1, "e": 2 })).unwrap(), "the answer.e is not described");
    assert!(wrong(serde_json::json!({ "a": 1, "b": "xy" })).unwrap().contains("does not match"));
    assert!(wrong(serde_json::json!({ "a": 1, "c": 1 })).unwrap().contains("2 things of which it may be one"));
    assert!(wrong(serde_json::json!({ "a": 1, "d": -1 })).is_some());
    assert!(wrong(serde_json::json!([])).unwrap().starts_with("the answer is array"));
}
