// Checks the phrases: all exist in both languages with the same parameters, and none is unused.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { equal, ok, test } from "./harness.mjs";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "../page/js");

export async function testPhrases() {
  await test("every phrase exists in both languages with the same parameters", async () => {
    const [{ en }, { ja }] = await Promise.all([
      import(join(FOLDER, "words-en.js")),
      import(join(FOLDER, "words-ja.js")),
    ]);
    const { vocabulary, errors, ...phrases } = ja;
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

  await test("Japanese phrases are those that players use", async () => {
    const { ja } = await import(join(FOLDER, "words-ja.js"));
    const written = {
      puzzleSolvedClean: "一度も間違えずに解けました。",
      puzzleWin: "{side}番：勝つ手は？",
      puzzleDraw: "{side}番：引き分けに持ち込む手は？",
      byRepetition: "千日手",
      hintsHidden: "評価を表示",
      hintsShown: "評価を隠す",
      lostValue: "疑問手",
      "family-morris": "メンズモリス",
    };
    equal(
      Object.entries(written).filter(([key, text]) => ja[key] !== text),
      [],
    );
    ok(ja.helpPlace.startsWith("マスを押してください。"), ja.helpPlace);
    // One register, the polite one, in all sentences.
    const plain = Object.entries({ ...ja, ...ja.errors }).filter(([, text]) => /(する|ない|いる|(?<!まし|でし)た)。$/.test(text));
    equal(plain, []);
  });
}
