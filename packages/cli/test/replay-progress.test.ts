import { expect, onTestFinished, test, vi } from "vitest";
import { showProgress } from "../src/replay-progress.js";

test("where there is no terminal, progress is a line every ten seconds, also while nothing moves", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const progress = showProgress({ write: (text) => lines.push(String(text)) }, 20_000);
  vi.advanceTimersByTime(10_000);
  progress.add(12_000);
  vi.advanceTimersByTime(20_000);
  progress.stop();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual(["0 of 20,000 readings\n", "12,000 of 20,000 readings\n", "12,000 of 20,000 readings\n"]);
});
