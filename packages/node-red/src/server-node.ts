import { createParticipant, type Participant, type ParticipantSettings } from "@curtail/client";
import type { NodeConfig, Red, RedNode } from "./red.js";

interface ServerConfig extends NodeConfig {
  readonly url?: string;
  readonly keyHeader?: string;
}

/** The configuration node that the others refer to. */
interface ServerNode extends RedNode {
  /** Null while address or key is missing or wrong. */
  access?: ParticipantSettings | null;
}

export const registerServer = (red: Red): void => {
  const construct = function (this: ServerNode, config: ServerConfig): void {
    red.nodes.createNode(this, config);
    this.access = accessOf(this, config);
  };
  red.nodes.registerType("curtail-server", construct, { credentials: { key: { type: "password" } } });
};

/**
 * The service that a node refers to; null if it refers to none that is complete.
 *
 * @param retry how calls are repeated, if not as usual
 */
export const participantAt = (
  red: Red,
  serverId: string | undefined,
  retry: ParticipantSettings["retry"] = {},
): Participant | null => {
  const access = (red.nodes.getNode(serverId ?? "") as ServerNode | null)?.access ?? null;
  return access === null ? null : createParticipant({ ...access, retry });
};

const accessOf = (node: ServerNode, { url = "", keyHeader = "" }: ServerConfig): ParticipantSettings | null => {
  const key = node.credentials?.["key"]?.trim() ?? "";
  const address = addressOf(url);
  if (address === null) node.error(`"${url}" is not an address; enter one such as https://curtail.example.com`);
  else if (key === "") node.error("the API key is missing; open the server's configuration and enter it");
  else return { url: address, key, ...(keyHeader.trim() === "" ? {} : { keyHeader: keyHeader.trim() }) };
  return null;
};

/** Origin and path, without the version that people copy with it; null if it is no http address. */
const addressOf = (text: string): string | null => {
  if (!/^https?:\/\//i.test(text.trim()) || !URL.canParse(text.trim())) return null;
  const { origin, pathname } = new URL(text.trim());
  return origin + pathname.replace(/\/+$/, "").replace(/\/\d{4}-\d{2}-\d{2}$/, "");
};
