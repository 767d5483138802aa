import { datedVersions, readTelemetry, translationOf, wordingOf } from "@curtail/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DatedText, type NumbersOf } from "../../../src/platform/http/dated-text.js";

const [version] = datedVersions;
const translation = translationOf(readTelemetry.reply, {
  from: (name) => name,
  to: version === undefined ? String : wordingOf(version),
});
const numberOf = (id: string): number => Number(id.replace(/\D/g, "")) + 1;
const text = new DatedText(translation);
const numbersOf: NumbersOf = async (entities) => new Map(entities.map(({ id }) => [id, numberOf(id)]));

const reading = fc.record({
  interval_seconds: fc.constantFrom(30, 300),
  timestamp: fc.constantFrom("2026-07-01T18:00:00Z"),
  value: fc.double({ noNaN: true, noDefaultInfinity: true }).map((kw) => (Object.is(kw, -0) ? 0 : kw)),
  units: fc.constant("kw"),
});
const meter = fc.record({
  meter_id: fc.nat(99).map((n) => `mtr_${n}`),
  telemetry: fc.array(reading, { maxLength: 4 }),
});
const site = fc.record({ site_id: fc.nat(99).map((n) => `site_${n}`), meters: fc.array(meter, { maxLength: 3 }) });
const reply = fc.record({ data: fc.record({ sites: fc.array(site, { maxLength: 4 }) }) });

const expected = ({
  data,
}: {
  data: { sites: ReadonlyArray<{ site_id: string; meters: ReadonlyArray<{ meter_id: string }> }> };
}) => ({
  data: {
    facilities: data.sites.map(({ site_id, meters }) => ({
      facility_id: numberOf(site_id),
      meters: meters.map((each) => ({ ...each, meter_id: numberOf(each.meter_id) })),
    })),
  },
});

test("JSON that comes in pieces, cut anywhere, is translated like the whole", async () => {
  await fc.assert(
    fc.asyncProperty(reply, fc.array(fc.nat(400), { maxLength: 8 }), async (given, cuts) => {
      const json = Buffer.from(JSON.stringify(given));
      const at = [0, ...cuts.filter((cut) => cut < json.length).toSorted((a, b) => a - b), json.length];
      const pieces = (async function* () {
        for (const [index, from] of at.slice(0, -1).entries()) yield json.subarray(from, at[index + 1]);
      })();
      const written: Buffer[] = [];
      for await (const piece of text.pieces(pieces, numbersOf)) written.push(piece);
      expect(JSON.parse(Buffer.concat(written).toString())).toEqual(expected(given));
      expect(JSON.parse((await text.whole(json, numbersOf)).toString())).toEqual(expected(given));
    }),
  );
});
