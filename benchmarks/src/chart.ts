import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build, preview } from "vite";
import { withBrowser } from "./browser.js";
import { ratio, report } from "./report.js";

const web = fileURLToPath(new URL("../../packages/web/", import.meta.url));
const SECONDS = 15;
const FRAMES_WANTED = 30;

/** Ten curves of ten thousand points, redrawn every second; the floor is the same page at rest. */
export const chart = async (): Promise<void> => {
  const outDir = await mkdtemp(join(tmpdir(), "curtail-bench-chart-"));
  const configFile = `${web}vite.config.ts`;
  await build({
    root: `${web}bench`,
    configFile,
    logLevel: "warn",
    build: { outDir, emptyOutDir: true, rolldownOptions: { input: `${web}bench/chart.html` } },
  });
  const server = await preview({
    root: `${web}bench`,
    configFile,
    logLevel: "warn",
    build: { outDir },
    preview: { port: 0 },
  });
  const [address = ""] = server.resolvedUrls?.local ?? [];
  try {
    await withBrowser(async (browser) => {
      const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
      await page.goto(`${address}chart.html`);
      await page.locator("canvas").waitFor();
      const idle = await framesWhile(page, false);
      const drawing = await framesWhile(page, true);
      report("a chart of 10 curves of 10,000 points, drawn anew each second", {
        "frames in its slowest second": `${drawing.least} (at least ${FRAMES_WANTED}${drawing.least >= FRAMES_WANTED ? "" : ", MISSED"})`,
        "frames in the slowest second at rest (floor)": idle.least,
        ratio: ratio(drawing.least / idle.least, FRAMES_WANTED / 60),
        "longest frame, ms": Math.round(drawing.longestMs),
      });
    });
  } finally {
    await server.close();
    await rm(outDir, { recursive: true });
  }
};

interface Frames {
  /** In the second with the fewest. */
  readonly least: number;
  readonly longestMs: number;
}

/** Counts frames in the browser, except in the first second, in which everything is new. */
const framesWhile = (page: Page, isDrawing: boolean): Promise<Frames> =>
  page.evaluate(
    `new Promise((resolve) => {
      const seconds = [];
      let longestMs = 0;
      let last = performance.now();
      const began = last;
      const redrawing = ${isDrawing} ? setInterval(() => window.redraw(), 1000) : 0;
      const frame = (now) => {
        const second = Math.floor((now - began) / 1000);
        if (second > ${SECONDS}) {
          clearInterval(redrawing);
          return resolve({ least: Math.min(...seconds.slice(1, -1)), longestMs });
        }
        seconds[second] = (seconds[second] ?? 0) + 1;
        if (second > 0) longestMs = Math.max(longestMs, now - last);
        last = now;
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    })`,
  );
