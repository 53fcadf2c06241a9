// The words of the page: each phrase in both languages, with the same parts, and none that nobody says.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { equal, test } from "./harness.mjs";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../page/js");

export async function testPhrases() {
  await test("every phrase is there in both languages, with the same parts", async () => {
    const [{ en }, { ja }] = await Promise.all([
      import(join(FOLDER, "words-en.js")),
      import(join(FOLDER, "words-ja.js")),
    ]);
    const { vocabulary, ...phrases } = ja;
    equal(Object.keys(phrases).sort(), Object.keys(en).sort());
    const parts = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    equal(
      Object.keys(en).filter((key) => parts(en[key]).join() !== parts(ja[key]).join()),
      [],
      "other parts",
    );
    const sources = readdirSync(FOLDER).filter((name) => !name.startsWith("words-"));
    const text = sources.map((name) => readFileSync(join(FOLDER, name), "utf8")).join("\n");
    const said = [...text.matchAll(/\bt\(\s*"([\w-]+)"/g)].map(([, key]) => key);
    equal(
      [...new Set(said)].filter((key) => en[key] === undefined),
      [],
      "phrases that are not there",
    );
    // A phrase is said by its name, or by one that begins so (`style-trap`, `hintStep0`).
    const known = (key) =>
      text.includes(`"${key}"`) ||
      text.includes(`"${key.replace(/Hidden$/, "")}"`) ||
      text.includes(`\`${key.replace(/(-|\d).*$/, "$1").replace(/\d$/, "")}`);
    equal(
      Object.keys(en).filter((key) => !known(key)),
      [],
      "phrases that nobody says",
    );
  });
}
