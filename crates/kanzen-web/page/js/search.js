// Search for games by any of their names: spelling, case, width of characters and kind of kana do not matter.

/** Other names of a family. */
const NAMES = {
  tictactoe: "tic tac toe, noughts and crosses, 三目並べ, さんもくならべ, まるばつ, ○×ゲーム",
  stones: "nim, subtraction game, 石取り, いしとり, ニム",
  nocca: "nocca nocca, ノッカノッカ",
  musashi: "sixteen musashi, 16, 十六むさし, じゅうろくむさし, 十六武蔵",
  morris: "mens morris, merels, merrills, mill, mills, muehle, mühle, メンズモリス, ミル",
  othello: "reversi, オセロ, リバーシ",
  ostle: "オストル",
  dobutsu: "animal shogi, doubutsu shougi, lets catch the lion, どうぶつしょうぎ, 動物将棋",
};
/** Numbers as words, for games with a number of pieces. */
const NUMBERS = {
  3: "three, スリー",
  5: "five, ファイブ",
  6: "six, シックス",
  7: "seven, セブン",
  9: "nine, ナイン",
  11: "eleven, イレブン",
  12: "twelve, トゥエルブ",
};

/** Folds a text: full width to half, upper case to lower, hiragana to katakana, `×` to x; only letters and digits count. */
function fold(text) {
  const katakana = (kana) => String.fromCodePoint(kana.codePointAt(0) + 0x60);
  const plain = text.normalize("NFKC").toLowerCase().replace(/[ぁ-ゖ]/g, katakana);
  return plain.replace(/['’]/g, "").replace(/(\d)\s*×\s*(\d)/g, "$1x$2").replace(/[^\p{L}\p{N}ー○×]+/gu, " ").trim();
}

/** Returns whether a game has names that fit the text of the search field: each of its words begins one of theirs. */
export function fits(wanted, id, titles) {
  const [family, size = ""] = id.split("-");
  const names = fold([id, ...titles, NAMES[family] ?? "", NUMBERS[size] ?? ""].join(" "));
  const words = names.split(" ");
  // Japanese is written without spaces: its words may begin anywhere.
  const within = (word) => /[^\x20-\x7e]/.test(word) && names.includes(word);
  return fold(wanted)
    .split(" ")
    .every((word) => words.some((name) => name.startsWith(word)) || within(word));
}
