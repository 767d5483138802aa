import * as types from "@opentelemetry/sdk-metrics";
import { Histogram, Registry, Summary } from "prom-client";
import { expect, test } from "vitest";
import { metricData } from "../../../src/platform/runtime/otlp-metrics.js";

test("a histogram has the count of each bucket by itself, for each combination of labels", async () => {
  const registers = [new Registry()];
  const histogram = new Histogram({ name: "h", help: "H.", labelNames: ["route"], buckets: [1, 5], registers });
  for (const seconds of [0.5, 0.7, 3, 9]) histogram.observe({ route: "/a" }, seconds);
  histogram.observe({ route: "/b" }, 5);
  const [collected] = (await registers[0]?.getMetricsAsJSON()) ?? [];
  if (collected === undefined) throw new Error("there are no metrics");
  expect(metricData(collected, [7, 0], types)).toMatchObject({
    descriptor: { name: "h", description: "H." },
    dataPoints: [
      {
        attributes: { route: "/a" },
        value: { buckets: { boundaries: [1, 5], counts: [2, 1, 1] }, sum: 13.2, count: 4 },
      },
      { attributes: { route: "/b" }, value: { buckets: { boundaries: [1, 5], counts: [0, 1, 0] }, sum: 5, count: 1 } },
    ],
  });
});

test("a metric without numbers is left out, and so is a type that the service does not have", async () => {
  const summary = new Summary({ name: "s", help: "S.", registers: [] });
  summary.observe(1);
  const { values } = await summary.get();
  expect(metricData({ name: "s", help: "S.", type: "summary", values }, [0, 0], types)).toBeNull();
  expect(metricData({ name: "g", help: "G.", type: "gauge", values: [] }, [0, 0], types)).toBeNull();
});
