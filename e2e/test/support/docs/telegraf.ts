import jsonata from "jsonata";
import { parse } from "smol-toml";
import { expect } from "vitest";
import { filledIn } from "./placeholders.js";
import type { RecipeTest } from "./recipe-test.js";
import { uploaded } from "./uploaded.js";

interface Configuration {
  readonly outputs: { readonly http: readonly Output[] };
}

interface Output {
  readonly url: string;
  readonly method: string;
  readonly data_format: string;
  readonly json_transformation: string;
  readonly headers: Readonly<Record<string, string>>;
}

const missing: Output = { url: "", method: "", data_format: "", json_transformation: "", headers: {} };

/** Renders what Telegraf's JSON serializer makes of a batch, with the version of JSONata that it has, and sends it. */
export const testTelegraf = async ({ blocks: [block], values }: RecipeTest): Promise<void> => {
  // Only text, numbers and tables: nothing is lost as JSON.
  const { outputs }: Configuration = JSON.parse(JSON.stringify(parse(filledIn(block?.text ?? "", values))));
  const [{ url, method, json_transformation, data_format, headers } = missing] = outputs.http;
  expect({ method, data_format }).toEqual({ method: "POST", data_format: "json" });
  const at = Math.floor(Date.now() / 60_000) * 60;
  const metric = { name: "meter", tags: { meter_id: values.ids["mtr"] }, fields: { power_kw_mean: 318.5 } };
  // Sent a moment after the minute ended; one of them alone, too.
  for (const metrics of [
    [{ ...metric, timestamp: at + 1 }],
    [60, 120].map((ago) => ({ ...metric, timestamp: at - ago })),
  ])
    expect(
      await uploaded(url, {
        headers: Object.entries(headers).map(([name, value]) => [
          name,
          value.replace("${CURTAIL_API_KEY}", values.apiKey),
        ]),
        body: JSON.stringify(jsonata(json_transformation).evaluate({ metrics })),
      }),
    ).toBe(metrics.length);
};
