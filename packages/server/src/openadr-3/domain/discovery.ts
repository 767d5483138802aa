import type { AnnouncedService } from "../../platform/mdns/service-records.js";

/** What this VTN announces to VENs on the same network. */
export interface AnnouncedVtn {
  /** Of this machine, as the operating system has it. */
  readonly hostname: string;
  readonly port: number;
  readonly scheme: "http" | "https";
  /** Address for clients, without the base path; null: that of the name that is announced. */
  readonly publicUrl: string | null;
  /** Of its operations, such as `openadr3/3.1.0`, which ends with the version. */
  readonly basePath: string;
  /** Programs that everybody may see. */
  readonly programNames: readonly string[];
}

/** `_openadr3._tcp` with the texts of OpenADR 3.1 (Definition, Discovery and Configuration of Local VTNs). */
export const discoveryOf = ({
  hostname,
  basePath,
  port,
  scheme,
  publicUrl,
  programNames,
}: AnnouncedVtn): AnnouncedService => {
  const machine = hostLabel(hostname);
  // Not the machine's own name, which its resolver announces: two that do so with different addresses are a conflict.
  const host = `curtail-${machine}-${port}`;
  return {
    type: "_openadr3._tcp",
    instance: `Curtail on ${machine}, port ${port}`,
    host,
    port,
    txt: {
      version: basePath.replace(/^.*\//, ""),
      base_path: basePath,
      local_url: `${publicUrl ?? `${scheme}://${host}.local:${port}`}/${basePath}`,
      program_names: listed(programNames),
      requires_auth: "True",
    },
  };
};

/** With the other words of the service's name, it has to fit into 63 bytes. */
const MAX_HOST = 40;

/** `Gateway 7.example.com` is `gateway-7`. */
const hostLabel = (hostname: string): string => {
  const [first = ""] = hostname.toLowerCase().split(".");
  return (
    first
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, MAX_HOST)
      .replaceAll(/^-+|-+$/g, "") || "curtail"
  );
};

/** A text of DNS-SD has 255 bytes, with its name. */
const MAX_LIST_BYTES = 255 - "program_names=".length;

/** As many as there is room for. A name with a comma would be two, and is left out. */
const listed = (names: readonly string[]): string => {
  let list = "";
  for (const name of names) {
    const longer = list === "" ? name : `${list},${name}`;
    if (!name.includes(",") && Buffer.byteLength(longer) <= MAX_LIST_BYTES) list = longer;
  }
  return list;
};
