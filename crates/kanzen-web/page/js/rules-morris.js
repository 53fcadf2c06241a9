// Data of the illustrated rules of morris. Boards differ, so each game has its own positions.

const place = {
  en: "Men are placed in turn on any empty point.",
  ja: "空いた点に交互に駒を置きます。",
};
const mill = {
  en: "Three in a line are a mill and take a man of the other side that is in no mill, or any if all are.",
  ja: "三つ並べるとミルになります。ミルに入っていない相手の駒を一つ取ります（すべてミルの中ならどれでも）。",
};
const slide = {
  en: "When all are placed, a man moves along a line to the next point.",
  ja: "置き終えたら、線に沿って隣の点へ動かします。",
};
const fly = {
  en: "From nine men on, a side with three men left moves anywhere: it flies.",
  ja: "9個以上のモリスでは、駒が三つになった側はどこへでも飛べます。",
};

/** Boards with one ring and a centre. */
const nineHoles = [
  { ...place, move: "b2" },
  { ...mill, position: "ww..b.../b w 1-1", move: "c3xc1" },
  { ...slide, position: "ww.bb.w./b w 0-0", move: "a1-a2" },
];

/** Boards with two rings, with or without a centre; `hand` counts the men in hand when the first mill is closed. */
const twoRings = (first, hand, centre) => [
  { ...place, move: first },
  { ...mill, position: `ww....../..b..b..${centre} w ${hand}-${hand}`, move: "e5xd4" },
  { ...slide, position: `ww.w..../b.b..b..${centre} w 0-0`, move: "e3-e1" },
];

/** Boards with three rings, where a side with three men flies. */
const threeRings = (hand) => [
  { ...place, move: "d2" },
  { ...mill, position: `ww....../..b..b../........ w ${hand}-${hand}`, move: "g7xf6" },
  { ...slide, position: "ww.w..../b.b..b../..b..w.. w 0-0", move: "g4-g1" },
  { ...fly, position: "ww....../b.b..b../..b..w.. w 0-0", move: "d3-g7xf6" },
];

const byMen = {
  3: nineHoles,
  5: twoRings("c2", 3, ""),
  6: twoRings("c2", 4, ""),
  7: twoRings("c3", 5, "/."),
  9: threeRings(7),
  11: threeRings(9),
  12: threeRings(10),
};

/** The pictures, by game. */
export const morrisFigures = Object.fromEntries(
  Object.entries(byMen).map(([men, all]) => [`morris-${men}`, all.map((one) => ({ game: `morris-${men}`, ...one }))]),
);
