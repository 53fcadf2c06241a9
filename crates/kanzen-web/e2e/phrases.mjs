// Checks the phrases: all exist in both languages with the same parameters, and none is unused.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { equal, test } from "./harness.mjs";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../page/js");

export async function testPhrases() {
  await test("every phrase exists in both languages with the same parameters", async () => {
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
    const used = [...text.matchAll(/\bt\(\s*"([\w-]+)"/g)].map(([, key]) => key);
    equal(
      [...new Set(used)].filter((key) => en[key] === undefined),
      [],
      "missing phrases",
    );
    // Code uses a phrase by its key or by a key prefix (`style-trap`, `hintStep0`).
    const known = (key) =>
      text.includes(`"${key}"`) ||
      text.includes(`"${key.replace(/Hidden$/, "")}"`) ||
      text.includes(`\`${key.replace(/(-|\d).*$/, "$1").replace(/\d$/, "")}`);
    equal(
      Object.keys(en).filter((key) => !known(key)),
      [],
      "unused phrases",
    );
  });
}
