import { hostileCsv, hostileNem12, hostileXml } from "@curtail/testing/hostile-files";
import type { Attack } from "./attack.js";

const MB = 1_000_000;
const kinds = [
  ["application/xml", hostileXml],
  ["text/csv", hostileCsv],
  ["text/csv", hostileNem12],
] as const;

const files = kinds.flatMap(([type, each]) => each.map(({ text }) => ({ type, text })));

/** The size in megabytes: all rules at a size that a slow line sends, then the largest that is taken. */
const attackOf = (size: number): Attack => ({
  title: `meter data of ${size} MB: each rule of a grammar repeated, as dry runs of two accounts`,
  run: async ({ url, attackers }, sender) => {
    await sender.repeat(attackers.length, (turn) => {
      const attacker = attackers[turn % attackers.length];
      const file = files[Math.floor(turn / attackers.length) % files.length];
      return sender.post(`${url}/console/v1/sites/${attacker?.siteIds[0]}/meter-data?dry_run=true`, {
        method: "PUT",
        headers: { cookie: attacker?.cookie ?? "", origin: url, "content-type": file?.type ?? "" },
        body: Buffer.from(file?.text(size * MB) ?? ""),
      });
    });
  },
});

export const smallFiles = attackOf(2);
export const largeFiles = attackOf(40);
