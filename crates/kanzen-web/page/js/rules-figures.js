// Data of the illustrated rules: positions, legal moves and captions. A test checks each move against the rules.

import { morrisFigures } from "./rules-morris.js";

/** By family, or by game if its board differs from the family's. */
export const figures = {
  tictactoe: [
    { move: "b2", en: "Put your mark on any empty square.", ja: "空いたマスのどこにでも印を置けます。" },
    {
      position: "XX./OO./... X",
      move: "c3",
      en: "Three of your own in a row, a column or a diagonal win.",
      ja: "縦・横・斜めに三つ並べると勝ちです。",
    },
    {
      position: "XOX/XOO/OX. X",
      move: "c1",
      en: "A full board without a row of three is a draw.",
      ja: "三つ並ばずに盤が埋まれば引き分けです。",
    },
  ],
  stones: [
    {
      move: "3",
      en: "Take one, two or three stones; they lie last in the pile.",
      ja: "石を1個、2個または3個取ります。",
    },
    {
      position: "4",
      move: "1",
      en: "A player who cannot take loses: leave your opponent a multiple of four.",
      ja: "取れなくなった方が負けです。相手に4の倍数を残しましょう。",
    },
  ],
  nocca: [
    {
      game: "nocca-4x3",
      move: "b1-c2",
      en: "Move one of your pieces one step in any of eight directions.",
      ja: "自分の駒を周囲8方向のどこかへ1歩動かします。",
    },
    {
      game: "nocca-4x3",
      position: "b,.,./.,b,./w,.,b/.,w,w w",
      move: "a2-b3",
      en: "It may climb onto a stack of one or two pieces, its own or the other side's.",
      ja: "高さ1か2の山には、自分の駒でも相手の駒でも乗れます。",
    },
    {
      game: "nocca-4x3",
      position: "b,.,./.,bw,./.,.,b/.,w,w b",
      move: "c2-b1",
      en: "A piece below another cannot move: the black one on b3 is caught until the white one leaves.",
      ja: "下になった駒は動けません。b3の黒は、白がどくまで動けません。",
    },
    {
      game: "nocca-4x3",
      position: "w,.,b/.,b,./b,.,./.,w,w w",
      move: "a4-off",
      en: "Walk a piece off the far row to win.",
      ja: "相手側の端から盤の外へ出れば勝ちです。",
    },
  ],
  musashi: [
    {
      game: "musashi-25",
      move: "c5-c4",
      en: "Brown has sixteen pieces and moves first: one step along a line to an empty point.",
      ja: "茶色は16個で先手。線に沿って隣の空いた点へ1歩動きます。",
    },
    {
      game: "musashi-25",
      position: "...../.o.o./..X../o...o/ooooo X",
      move: "c3-c4",
      en: "Black has one piece. Brown pieces on opposite sides of the point that it steps to are taken, by pairs.",
      ja: "黒は1個。動いた点をはさんで並ぶ茶色の駒の組は取られます。",
    },
    {
      game: "musashi-25",
      position: "Xo.../oo..o/o...o/o...o/ooooo X",
      en: "Black cannot move: brown has won.",
      ja: "黒が動けなくなれば茶色の勝ちです。",
    },
    {
      game: "musashi-25",
      position: "...../..X../...../o.o../..... o",
      move: "a2-a3",
      en: "Brown wins only by catching black: if a position is repeated, black wins.",
      ja: "同じ局面が繰り返されれば黒の勝ちです。",
    },
  ],
  ...morrisFigures,
  othello: [
    {
      game: "othello-4x4",
      move: "c4",
      en: "Put a disc so that it and another of yours enclose a line of the other side's discs.",
      ja: "自分の石で相手の石をはさむように置きます。",
    },
    {
      game: "othello-4x4",
      position: "..../.OX./.XX./..X. O",
      move: "d4",
      en: "All enclosed discs become yours, in every direction.",
      ja: "はさんだ石は、どの方向でもすべて裏返します。",
    },
    {
      game: "othello-4x4",
      position: "XXXX/XXXX/XXXX/XXO. O",
      move: "pass",
      en: "A player who cannot enclose passes. When neither can move, more discs win, and empty squares go to the winner.",
      ja: "置けなければパスです。両者とも置けなければ終わりで、石の多い方が勝ちです。空いたマスは勝者に数えます。",
    },
  ],
  ostle: [
    {
      game: "ostle",
      move: "b5-b4",
      en: "Move a piece one step along a row or a column.",
      ja: "駒を縦か横に1歩動かします。",
    },
    {
      game: "ostle",
      position: "11011-00100-00230-00000-22022",
      move: "c4-c3",
      en: "What stands in front is pushed along, also several in a row.",
      ja: "前にある駒は、いくつ並んでいても押されます。",
    },
    {
      game: "ostle",
      position: "11011-00000-12300-00000-02222",
      move: "a3-b3",
      en: "A piece pushed into the hole or off the board is out. A player with three pieces left loses.",
      ja: "穴に落ちたり盤の外に出た駒は取り除かれます。残り3個になった側の負けです。",
    },
    {
      game: "ostle",
      move: "c3-c2",
      en: "Instead, the hole may move onto an empty square next to it. A move may not recreate the board of two plies before.",
      ja: "代わりに穴を隣の空きマスへ動かせます。2手前と同じ盤面に戻す手は指せません。",
    },
  ],
  dobutsu: [
    {
      move: "b2-b3",
      en: "Lions step in all directions, giraffes along rows and columns, elephants diagonally, chicks forward. A taken animal changes sides.",
      ja: "ライオンは全方向、きりんは縦横、ぞうは斜め、ひよこは前に1歩動けます。取った動物は自分のものになります。",
    },
    {
      position: "gle/.../.C./ELG b C",
      move: "C@b3",
      en: "Instead of a move, a taken animal may be dropped on an empty square.",
      ja: "動かす代わりに、取った動物を空いたマスに打てます。",
    },
    {
      position: "g.e/lC./.../ELG b c",
      move: "b3-b4",
      en: "A chick that walks onto the far row becomes a hen; a hen that is taken is a chick again.",
      ja: "ひよこは一番奥の段に進むとにわとりに成り、取られるとひよこに戻ります。",
    },
    {
      position: "..e/L../..l/EG. b GCc",
      move: "a3-b4",
      en: "Catch the lion, or bring yours safely to the far row.",
      ja: "相手のライオンを取るか、自分のライオンを一番奥の段に無事に進めれば勝ちです。",
    },
  ],
};
