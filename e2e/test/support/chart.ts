import type { Locator, Page } from "playwright-core";

type Place = readonly [x: number, y: number];

const boxOf = async (chart: Locator) => {
  const box = await chart.locator(".u-over").boundingBox();
  if (box === null) throw new Error("there is no chart");
  return box;
};

/** Positions in a chart by their shares of its width and height. */
export const placeIn = async (chart: Locator): Promise<(x: number, y: number) => Place> => {
  const box = await boxOf(chart);
  return (x, y) => [box.x + box.width * x, box.y + box.height * y];
};

/** Drags the mouse over a chart, between two shares of its width. */
export const dragOver = async (page: Page, chart: Locator, [from, to]: readonly [number, number]): Promise<void> => {
  const at = await placeIn(chart);
  await page.mouse.move(...at(from, 0.3));
  await page.mouse.down();
  await page.mouse.move(...at(to, 0.35), { steps: 5 });
  await page.mouse.up();
};

/** The times at the left and right edges of the chart, as the chart states them. */
export const edgesOf = async (page: Page, chart: Locator): Promise<readonly string[]> => {
  const at = await placeIn(chart);
  const figure = page.getByRole("figure").filter({ has: chart });
  const edges: string[] = [];
  for (const share of [0.02, 0.98]) {
    await page.mouse.move(...at(share, 0.5));
    edges.push((await figure.locator("[data-chart-time]").textContent()) ?? "");
  }
  return edges;
};

const STEPS = 8;

/** Moves fingers across the screen from some positions to others, as a touch screen reports it. */
export const dragFingers = async (page: Page, from: readonly Place[], to: readonly Place[]): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", places: readonly Place[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  await send("touchStart", from);
  for (let step = 1; step <= STEPS; step++) {
    const between = (a: number, b: number) => a + ((b - a) * step) / STEPS;
    await send(
      "touchMove",
      from.map(([x, y], index) => [between(x, to[index]?.[0] ?? x), between(y, to[index]?.[1] ?? y)] as const),
    );
  }
  await send("touchEnd", []);
  await session.detach();
};
