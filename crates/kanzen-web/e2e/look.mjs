// Visual checks: contrast in light and dark, and visible controls.

import { equal, json, ok, on, shot, test, visit } from "./harness.mjs";

/** Computes the WCAG contrast of two colours. */
function contrast(one, other) {
  const light = (colour) => {
    const parts = colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((part) => Number(part) / 255);
    const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const colour = (page, selector, what = "fill") =>
  page.$eval(selector, (element, name) => getComputedStyle(element).getPropertyValue(name), what);

export async function testLook(address) {
  for (const colorScheme of ["light", "dark"]) {
    await test(`pieces, dots and the hole contrast with the board, ${colorScheme}`, () =>
      on(`${address}#/othello-4x4`, { colorScheme, viewport: { width: 1280, height: 800 } }, async (page) => {
        await page.click('[data-tool="hints"]');
        const felt = await colour(page, ".felt .square");
        const dot = Math.max(
          contrast(await colour(page, ".may"), felt),
          contrast(await colour(page, ".may", "stroke"), felt),
        );
        ok(dot >= 3, `dots ${dot}`);
        for (const tone of ["light", "dark"]) {
          const disc = contrast(await colour(page, `.piece.${tone} > circle`), felt);
          ok(disc >= 3, `${tone} discs ${disc}`);
        }
        await shot(page, `othello-dots-${colorScheme}`);
        for (const [id, ground] of [
          ["nocca-3x3", ".square"],
          ["musashi-25", ".sheet"],
          ["ostle", ".square"],
        ]) {
          await visit(page, `#/${id}`);
          const board = await colour(page, ground);
          const tones = await page.$$eval(".piece", (all) => [...new Set(all.map((one) => one.classList[1]))]);
          for (const tone of tones) {
            const inside = `.piece.${tone} > :is(circle, ellipse)`;
            const best = Math.max(
              contrast(await colour(page, inside), board),
              contrast(await colour(page, inside, "stroke"), board),
            );
            ok(best >= 3, `${id}: ${tone} pieces ${best}`);
          }
          if (id !== "ostle") continue;
          const [hole, rim] = [await colour(page, ".hole"), await colour(page, ".hole-rim")];
          const sum = (text) =>
            text
              .match(/[\d.]+/g)
              .slice(0, 3)
              .reduce((total, part) => total + Number(part), 0);
          ok(sum(hole) < sum(rim) && sum(rim) < sum(board), "the hole looks raised");
        }
      }));
  }

  for (const [width, height] of [
    [1280, 800],
    [740, 360],
  ]) {
    await test(`board and controls are visible at ${width}x${height}`, () =>
      on(address, { viewport: { width, height } }, async (page) => {
        for (const id of ["nocca-3x4", "musashi-25", "morris-5", "tictactoe"]) {
          await visit(page, `#/${id}`);
          const boxes = await page.$$eval(
            '.board, .status, [data-tool="undo"], [data-tool="hints"], [data-tool="restart"]',
            (all) => all.map((element) => element.getBoundingClientRect().bottom),
          );
          equal(boxes.length, 5);
          ok(Math.max(...boxes) <= height, `${id}: something ends at ${Math.max(...boxes)}`);
          await shot(page, `${id}-${width}x${height}`, false);
        }
      }));
  }

  await test("the evaluation graph has the colours of the sides, and nothing covers their names", () =>
    on(`${address}#/othello-4x4?moves=b1+a1`, {}, async (page) => {
      // White wins from the start, so the marks are white.
      const probe = await json(address, "/api/othello-4x4/probe");
      equal(probe.value, "loss");
      const first = await page.getAttribute('.graph [data-ply="0"] .mark', "class");
      equal(first, "mark light");
      const right = await page.$$eval(".graph .mark", (all) =>
        Math.max(...all.map((one) => one.getBoundingClientRect().right)),
      );
      const left = await page.$$eval(".graph .axis", (all) =>
        Math.min(...all.map((one) => one.getBoundingClientRect().left)),
      );
      ok(right < left, "marks on the names");
    }));

  await test("the hands of a rotated morris board stay in their trays", () =>
    on(`${address}#/morris-5`, {}, async (page) => {
      await page.click('[data-tool="flip"]');
      await page.waitForSelector(".in-hand");
      const inside = await page.evaluate(() => {
        const trays = [...document.querySelectorAll(".tray")].map((tray) => tray.getBoundingClientRect());
        const parts = [...document.querySelectorAll(".in-hand, .in-hand .count")].map((part) =>
          part.getBoundingClientRect(),
        );
        return parts.map((part) => trays.some((tray) => part.left >= tray.left - 1 && part.right <= tray.right + 1));
      });
      equal(inside, [true, true, true, true]);
      await shot(page, "morris-turned");
    }));

  await test("best moves without an arrow are counted", () =>
    on(`${address}#/musashi-25`, {}, async (page) => {
      const { moves, distance } = await json(address, "/api/musashi-25/probe");
      const best = moves.filter((move) => move.value === "win" && move.distance === distance).length;
      const arrows = (await page.$$(".arrow")).length;
      ok(best > arrows, "too few for this test");
      ok((await page.textContent(".more-best")).includes(` ${best - arrows} `), "the rest");
    }));
}
