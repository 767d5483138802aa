import { hostname, networkInterfaces } from "node:os";
import { BASE_PATH } from "@curtail/openadr-3";
import { discoveryOf } from "../../openadr-3/domain/discovery.js";
import type { ObjectStore } from "../../openadr-3/operations/object-ports.js";
import { publicProgramNames } from "../../openadr-3/operations/public-programs.js";
import { linksOf } from "../../platform/mdns/links.js";
import { MdnsResponder } from "../../platform/mdns/responder.js";
import type { Basis } from "../basis.js";

/** Where OpenADR 3 listens. */
interface Listening {
  readonly host: string;
  readonly port: number;
  readonly scheme: "http" | "https";
}

/** Announces OpenADR 3 to VENs on the same network; null: that is not wanted. */
export const wireDiscovery = (
  { config, clock, logger }: Basis,
  objects: Pick<ObjectStore, "search">,
  { host, ...at }: Listening,
): MdnsResponder | null =>
  config.openadr3Mdns
    ? new MdnsResponder({
        links: () => linksOf(host, networkInterfaces()),
        service: async () =>
          discoveryOf({
            ...at,
            hostname: hostname(),
            basePath: BASE_PATH.slice(1),
            publicUrl: config.openadr3PublicUrl,
            programNames: await publicProgramNames(objects),
          }),
        clock,
        log: logger,
      })
    : null;
