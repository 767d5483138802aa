import type { DispatchStatus, MeterStatus, OutputWords, SiteStatus, Status } from "./status.js";

/** The status as a page without scripts; it loads itself again. */
export const statusPage = (status: Status): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="10">
<title>Curtail agent</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }
caption { font-weight: 600; text-align: left; }
.fault { color: #a40000; }
form { display: flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
</style>
</head>
<body>
<h1>Curtail agent${status.dry_run ? " (dry run: nothing is written)" : ""}</h1>
<p>Times are UTC. This page: ${escaped(status.at)}.</p>
${serviceLines(status)}
${status.sites.map(siteSection).join("\n")}
</body>
</html>
`;

const serviceLines = ({ service, upload, disk_fault }: Status): string => `<p>Service ${escaped(service.url)}: ${
  service.contact_at === null ? "no contact yet" : `last answer ${escaped(service.contact_at)}`
}${service.is_lost ? ", <strong>contact lost</strong>" : ""}${faultWords(service.fault)}${faultWords(service.key_fault)}</p>
<p>Readings to upload: ${upload.waiting}. Refused: ${upload.refused}. Dropped: ${upload.dropped}.${faultWords(upload.fault)}</p>${
  disk_fault === null
    ? ""
    : `
<p>The disk takes nothing; readings in memory only: ${upload.unstored}.${faultWords(disk_fault)}</p>`
}${upload.warnings
  .map(
    (warning) => `
<p>Warning:${faultWords(warning)}</p>`,
  )
  .join("")}`;

const siteSection = (site: SiteStatus): string => `<section>
<h2>${escaped(site.name)}: ${escaped(site.phase)}</h2>
<p>Cause: ${escaped(site.cause)}.${site.commitment_kw === null ? "" : ` Commitment: ${site.commitment_kw} kW.`}</p>
${overrideForm(site)}
${table("Meters", ["Meter", "kW", "At", "Newest reading", "Note"], site.meters.map(meterRow))}
${table("Dispatches", ["Dispatch", "Start", "End", "Commitment (kW)", "Test"], site.dispatches.map(dispatchRow))}
${table("Outputs", ["Output", "Wanted", "Written", "At", "Found at the start", "Fault"], site.outputs.map(outputRow))}
</section>`;

const overrideForm = ({ id, override }: SiteStatus): string => `<p>Override: ${
  override === null
    ? "none"
    : escaped(
        `${override.mode} by ${override.who || override.by}, ${override.until === null ? "until withdrawn" : `until ${override.until}`}`,
      )
}</p>
<form method="post" action="/override">
<input type="hidden" name="site" value="${escaped(id)}">
<label>Mode <select name="mode"><option>auto</option><option>normal</option><option>curtail</option></select></label>
<label>Who <input name="who" required maxlength="80"></label>
<label>Minutes <input name="minutes" type="number" min="1" max="10080" value="60"></label>
<button>Override</button>
</form>`;

const meterRow = ({ name, kw, at, reading_at, note }: MeterStatus) => [name, kw, at, reading_at, note];

const dispatchRow = ({ id, start_time, end_time, commitment_kw, test }: DispatchStatus) => [
  id,
  start_time,
  end_time ?? "open",
  commitment_kw ?? "as much as possible",
  test ? "test" : "",
];

const outputRow = ({ name, wanted, written, written_at, found, fault }: OutputWords) => [
  name,
  wanted,
  written,
  written_at,
  found,
  fault,
];

type Cell = string | number | null;

const table = (caption: string, heads: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string =>
  rows.length === 0
    ? ""
    : `<table><caption>${caption}</caption>
<tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr>
${rows.map((row) => `<tr>${row.map((cell) => `<td>${escaped(String(cell ?? ""))}</td>`).join("")}</tr>`).join("\n")}
</table>`;

const faultWords = (fault: string | null): string =>
  fault === null ? "" : ` <span class="fault">${escaped(fault)}</span>`;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);
