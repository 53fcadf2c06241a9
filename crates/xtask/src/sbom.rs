//! Prints the SBOM of a release: a CycloneDX list of all packages linked into the command.
//!
//! Made from `cargo metadata`, sorted, without time or random numbers, so that two releases of the same sources have the
//! same bytes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};

use crate::workspace;

/// The package that a release is a build of.
const PROGRAM: &str = "kanzen-cli";

/// The list for a build of the command for a target, as JSON.
pub fn sbom(root: &Path, target: &str) -> Result<String> {
    let metadata = workspace::metadata(root, &["--filter-platform", target])?;
    let list = of_metadata(&metadata, target)?;
    Ok(format!("{}\n", serde_json::to_string_pretty(&list)?))
}

fn of_metadata(metadata: &Json, target: &str) -> Result<Json> {
    let program = program(metadata)?;
    let reached = linked_packages(metadata)?;
    let by_id: BTreeMap<&str, &Json> =
        reached.iter().chain([&program]).map(|package| (id(package), *package)).collect();
    let needs = needs(metadata)?;
    let mut components: Vec<Json> = reached.iter().map(|package| component(package)).collect();
    components.sort_by_key(|component| component["bom-ref"].to_string());
    let reference = |id: &&str| by_id.get(id).map(|package| purl(package));
    let mut dependencies: Vec<Json> = Vec::new();
    for id in by_id.keys() {
        let mut on: Vec<String> = needs.get(id).into_iter().flatten().filter_map(&reference).collect();
        on.sort();
        on.dedup();
        dependencies.push(json!({ "ref": reference(id), "dependsOn": on }));
    }
    dependencies.sort_by_key(|one| one["ref"].to_string());
    let mut described = component(program);
    described["type"] = "application".into();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": described, "properties": [{ "name": "kanzen:target", "value": target }] },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The packages that are linked into the command, by name; not the command itself.
pub fn linked_packages(metadata: &Json) -> Result<Vec<&Json>> {
    let (program, needs) = (program(metadata)?, needs(metadata)?);
    let mut reached = BTreeSet::from([id(program)]);
    let mut ahead = VecDeque::from([id(program)]);
    while let Some(id) = ahead.pop_front() {
        for &need in needs.get(id).into_iter().flatten() {
            if reached.insert(need) {
                ahead.push_back(need);
            }
        }
    }
    reached.remove(id(program));
    let mut found: Vec<&Json> = packages(metadata)?.iter().filter(|package| reached.contains(id(package))).collect();
    found.sort_by_key(|package| purl(package));
    Ok(found)
}

fn packages(metadata: &Json) -> Result<&Vec<Json>> {
    metadata["packages"].as_array().context("cargo metadata lists no packages")
}

fn program(metadata: &Json) -> Result<&Json> {
    let found = packages(metadata)?.iter().find(|package| package["name"] == PROGRAM);
    found.context("there is no package of the command")
}

fn id(package: &Json) -> &str {
    package["id"].as_str().unwrap_or_default()
}

/// What each package needs, by their ids.
fn needs(metadata: &Json) -> Result<BTreeMap<&str, Vec<&str>>> {
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata resolves nothing")?;
    Ok(nodes.iter().map(|node| (id(node), linked(node))).collect())
}

/// What a package needs to be linked: not what builds or tests it.
fn linked(node: &Json) -> Vec<&str> {
    let is_linked =
        |need: &&Json| need["dep_kinds"].as_array().is_none_or(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()));
    let needs = node["deps"].as_array().into_iter().flatten();
    needs.filter(is_linked).filter_map(|need| need["pkg"].as_str()).collect()
}

fn component(package: &Json) -> Json {
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
        "purl": purl(package),
    });
    if let Some(licence) = package["license"].as_str() {
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(repository) = package["repository"].as_str() {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

/// The name of a package among those of all languages.
fn purl(package: &Json) -> String {
    let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
    format!("pkg:cargo/{}@{}", text("name"), text("version").replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_linked_is_listed_and_what_only_tests_is_not() {
        let package =
            |name: &str| json!({ "id": name, "name": name, "version": "1.0.0+x", "license": "MIT/Apache-2.0" });
        let need = |name: &str, kind: Json| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package("kanzen-cli"), package("b"), package("a"), package("tests"), package("builds"), package("xtask")],
            "resolve": { "nodes": [
                { "id": "kanzen-cli", "deps": [need("b", Json::Null), need("tests", "dev".into()), need("builds", "build".into())] },
                { "id": "b", "deps": [need("a", Json::Null)] },
                { "id": "a", "deps": [] },
            ] },
        });
        let list = of_metadata(&metadata, "some-target").unwrap();
        let names: Vec<&str> =
            list["components"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(list["components"][0]["purl"], "pkg:cargo/a@1.0.0%2Bx");
        assert_eq!(list["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(list["metadata"]["component"]["name"], "kanzen-cli");
        assert_eq!(
            list["dependencies"][2],
            json!({ "ref": "pkg:cargo/kanzen-cli@1.0.0%2Bx", "dependsOn": ["pkg:cargo/b@1.0.0%2Bx"] })
        );
        assert!(of_metadata(&json!({}), "x").is_err());
    }
}
