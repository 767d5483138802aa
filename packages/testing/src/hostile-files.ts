/**
 * A file or body in which one rule of its grammar is repeated up to a size: long, deep, wide or many of it. What repeats
 * gets its number, so that nothing is the same twice.
 */
export interface HostileFile {
  readonly name: string;
  readonly text: (bytes: number) => string;
}

type Part = string | ((at: number) => string);

const made = (part: Part, at: number): string => (typeof part === "string" ? part : part(at));

/** `before`, as many parts as fit, `after`. */
const many = (part: Part, bytes: number, [before, after]: readonly [string, string] = ["", ""]): string => {
  const parts: string[] = [];
  for (let length = before.length + after.length, at = 0; ; at++) {
    const next = made(part, at);
    length += next.length;
    if (length > bytes) return before + parts.join("") + after;
    parts.push(next);
  }
};

export const file = (name: string, part: Part, around?: readonly [string, string]): HostileFile => ({
  name,
  text: (bytes) => many(part, bytes, around),
});

const FEED = '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:e="http://naesb.org/espi">';
const inFeed = (before: string, after: string): readonly [string, string] => [FEED + before, `${after}</feed>`];
const inBlock = inFeed("<entry><content><e:IntervalBlock>", "</e:IntervalBlock></content></entry>");
const inValue = inFeed(
  "<entry><content><e:IntervalBlock><e:IntervalReading><e:value>",
  "</e:value></e:IntervalReading></e:IntervalBlock></content></entry>",
);

const reading = (start: number | string, value: number | string): string =>
  `<e:IntervalReading><e:timePeriod><e:start>${start}</e:start><e:duration>300</e:duration></e:timePeriod>` +
  `<e:value>${value}</e:value></e:IntervalReading>`;

const meterReading = (at: number): string =>
  `<entry><link rel="self" href="r/${at}"/><link rel="related" href="b/${at}"/><content><e:MeterReading/></content></entry>` +
  `<entry><link rel="self" href="b/${at}/1"/><link rel="up" href="b/${at}"/><content><e:IntervalBlock/></content></entry>`;

const linked = (rel: string, part: string): HostileFile =>
  file(
    `entries whose links (${rel}) repeat ${part}`,
    (at) =>
      `<entry><link rel="${rel}" href="${part.repeat(1980 / part.length)}${at}"/><content><e:IntervalBlock/></content></entry>`,
    inFeed(meterReading(0) + meterReading(1), ""),
  );

export const hostileXml: readonly HostileFile[] = [
  file("deep elements", "<a>", [FEED, ""]),
  file("many empty elements", "<a/>", inFeed("", "")),
  file("many attributes", (at) => ` a${at}="1"`, [`${FEED}<a`, "/></feed>"]),
  file("many namespaces", (at) => ` xmlns:n${at}="u${at}"`, [`${FEED}<a`, "/></feed>"]),
  file("elements with a namespace of their own", (at) => `<n${at}:a xmlns:n${at}="u${at}"/>`, inFeed("", "")),
  file("a long name", "a", inFeed("<", "/>")),
  file("a long attribute", "a", inFeed('<a b="', '"/>')),
  file("an attribute of references", "&amp;", inFeed('<a b="', '"/>')),
  file("a long text", "1", inValue),
  file("a text of references", "&#49;", inValue),
  file("a text of lines", "\n", inValue),
  file("a text of CDATA", "<![CDATA[1]]>", inValue),
  file("a long CDATA", "]", inFeed("<![CDATA[", "]]>")),
  file("a long comment", "- ", inFeed("<!--", "-->")),
  file("many comments", "<!---->", inFeed("", "")),
  file("a long instruction", "?", inFeed("<?a ", "?>")),
  file("many instructions", "<?a?>", inFeed("", "")),
  file("a long document type", "<!ENTITY a 'b'>", ["<!DOCTYPE a [", `]>${FEED}</feed>`]),
  file("many entries", "<entry/>", inFeed("", "")),
  file("an entry of links", (at) => `<link rel="related" href="${at}"/>`, inFeed("<entry>", "</entry>")),
  linked("self", "/"),
  linked("self", "a/"),
  linked("up", "/"),
  linked("up", "a/"),
  linked("related", "a/"),
  file("many meter readings", meterReading, inFeed("", "")),
  file("many blocks", "<e:IntervalBlock/>", inFeed("<entry><content>", "</content></entry>")),
  file("many readings", (at) => reading(300 * at, at), inBlock),
  file("readings at one time", (at) => reading(0, at), inBlock),
  file("readings in any order", (at) => reading(300 * ((at * 7919) % 1_000_003), at), inBlock),
  file("readings without numbers", reading("x", "x"), inBlock),
];

const timeAt = (step: number): string => new Date(Date.UTC(2026, 0, 1) + step * 30_000).toISOString();
const RECENT = "timestamp,kw\n";

export const hostileCsv: readonly HostileFile[] = [
  file("a long header", "a", ["timestamp,", " kW\n"]),
  file("a header of spaces", " ", ["timestamp,a", "x kW\n"]),
  file("many columns", (at) => `,m${at}_kw`, ["timestamp", "\n"]),
  file("a long cell", "a", [`${RECENT}${timeAt(1)},`, "\n"]),
  file("cells of digits", `${"1".repeat(190_000)}x\n${timeAt(1)},`, [`${RECENT}${timeAt(1)},`, "1\n"]),
  file("cells of spaces", `${timeAt(1)}${" ".repeat(190_000)}x,1\n`, [RECENT, ""]),
  file("cells of quotes", '""', [`${RECENT}${timeAt(1)},"`, '"\n']),
  file("lines of separators", `${",".repeat(190_000)}\n`, [RECENT, ""]),
  file("empty lines", "\n", [RECENT, ""]),
  file("lines with a fault", "x,\n", [RECENT, ""]),
  file("many lines", (at) => `${timeAt(at)},1\n`, [RECENT, ""]),
  file("lines at one time", (at) => `${timeAt(1)},${at}\n`, [RECENT, ""]),
  file("lines in any order", (at) => `${timeAt((at * 7919) % 1_000_003)},1\n`, [RECENT, ""]),
  file("lines of other days", (at) => `${timeAt((at * 2880) % 1_000_000_000)},1\n`, [RECENT, ""]),
  file("local lines of other days", (at) => `${timeAt((at * 2880) % 1_000_000_000).slice(0, 16)},1\n`, [RECENT, ""]),
  file("many meters", (at) => `${timeAt(at)},m${at % 600},1\n`, ["timestamp,meter,kw\n", ""]),
];

const NEM12 = "100,NEM12,202606011200,MDP1,RETAIL1\n";
const channel = (nmi: string): string => `200,${nmi},E1,1,E1,N1,METER1,kWh,30,\n`;
const dateAt = (day: number): string =>
  new Date(Date.UTC(2000, 0, 1 + day)).toISOString().slice(0, 10).replaceAll("-", "");
const aDay = (date: string, quality: string): string => `300,${date},${"1,".repeat(48)}${quality},,,,\n`;

export const hostileNem12: readonly HostileFile[] = [
  file("many headers", NEM12, [NEM12, "900\n"]),
  file("many channels", (at) => channel(`NMI${at}`), [NEM12, "900\n"]),
  file("many channels of other units", (at) => `200,NMI${at},Q1,1,Q1,N1,M,kVArh,30,\n`, [NEM12, "900\n"]),
  file("a long channel", "a", [`${NEM12}200,`, ",E1,1,E1,N1,M,kWh,30,\n900\n"]),
  file("many days", (at) => aDay(dateAt(at % 9000), "A"), [NEM12 + channel("NMI1"), "900\n"]),
  file("one day many times", aDay("20260601", "A"), [NEM12 + channel("NMI1"), "900\n"]),
  file("days without values", (at) => `300,${dateAt(at % 9000)},A,,,,\n`, [NEM12 + channel("NMI1"), "900\n"]),
  file("days of too many values", `300,20260601,${"1,".repeat(90_000)}A\n`, [NEM12 + channel("NMI1"), "900\n"]),
  file("days of long values", `300,20260601,${`${"1".repeat(3900)}x,`.repeat(48)}A,,,,\n`, [
    NEM12 + channel("NMI1"),
    "900\n",
  ]),
  file("one day of many qualities", "400,1,48,A,,\n", [NEM12 + channel("NMI1") + aDay("20260601", "V"), "900\n"]),
  file("many unknown records", "700\n", [NEM12, "900\n"]),
];

const inList = (list: string): readonly [string, string] => [`{"${list}":[`, "{}]}"];

/** Bodies of JSON, with `list` as the list of an upload. */
export const hostileJson = (list: string): readonly HostileFile[] => [
  file("a list of empty objects", "{},", ["[", "{}]"]),
  file("an upload of empty objects", "{},", inList(list)),
  file("an upload of lists", "[],", inList(list)),
  file("an upload of numbers", "1,", inList(list)),
  file("an upload of spaces", " ", inList(list)),
  file("deep lists", "[", ["", ""]),
  file("deep objects", '{"a":', ["", ""]),
  file("a long text", "a", [`{"${list}":"`, '"}']),
  file("a text of escapes", "\\u0041", [`{"${list}":"`, '"}']),
  file("a long number", "1", [`{"${list}":`, "}"]),
  file("a long name", "a", ['{"', '":1}']),
  file("many members", (at) => `"m${at}":1,`, ["{", '"z":1}']),
  file("the same member", '"m":1,', ["{", '"z":1}']),
  file("an element of many members", (at) => `"m${at}":1,`, [`{"${list}":[{`, '"z":1}]}']),
  file("an element with a long text", "a", [`{"${list}":[{"timestamp":"`, '"}]}']),
  file("elements with long numbers", `{"kW":${"1".repeat(60_000)}},`, inList(list)),
  file("elements with texts of escapes", `{"timestamp":"${"\\u0041".repeat(10_000)}"},`, inList(list)),
  file(
    "readings of other meters",
    (at) => `{"meter_id":"m${at}","interval_seconds":30,"timestamp":"${timeAt(at)}","kW":1},`,
    [`{"${list}":[`, `{"meter_id":"m","interval_seconds":30,"timestamp":"${timeAt(0)}","kW":1}]}`],
  ),
];

const scenario = (before: string, after: string): readonly [string, string] => [
  `{"scenario_type":"custom","dispatches":{${before}`,
  `${after}}}`,
];

export const hostileScenarios: readonly HostileFile[] = [
  file("many labels", (at) => `"l${at}":{"states":[{}]},`, scenario("", '"z":{"states":[]}')),
  file("a long label", "l", scenario('"', '":{"states":[{}]}')),
  file("many empty states", "{},", scenario('"l":{"states":[', "{}]}")),
  file("many states", (at) => `{"after_seconds":${at},"authorized":true},`, scenario('"l":{"states":[', "{}]}")),
  file("a state of many members", (at) => `"m${at}":1,`, scenario('"l":{"states":[{', '"z":1}]}')),
  file("many sites", (at) => `{"site_id":"s${at}","commitment":1},`, scenario('"l":{"states":[{"sites":[', "{}]}]}")),
];
