import type { ConfigValue } from "./config-value.js";
import { checkAddress } from "./other-config.js";
import { type ConfigEdge, readFile, readSecret } from "./secret.js";

export interface MqttConnection {
  /** mqtt://, mqtts://, ws:// or wss:// */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
  /** PEM; null: the certificates that Node.js trusts. */
  readonly ca: string | null;
  readonly certificate: string | null;
  readonly certificateKey: string | null;
  readonly clientId: string | null;
}

export interface MqttSource {
  readonly connection: string;
  readonly topic: string;
  /** Path in JSON, such as `emeters[0].power`; null: the payload is the number. */
  readonly path: string | null;
}

export interface MqttTarget {
  readonly connection: string;
  readonly topic: string;
  readonly retain: boolean;
}

export const readMqttConnection = (value: ConfigValue, edge: ConfigEdge): MqttConnection => {
  const at = value.members([
    ...(["url", "username", "password", "password_file", "password_env"] as const),
    ...(["ca_file", "cert_file", "key_file", "client_id"] as const),
  ]);
  const url = at.url.text("an address such as mqtt://broker.local:1883");
  if (url !== "" && !/^(mqtts?|wss?):\/\/[^/]/.test(url))
    at.url.fault("must begin with mqtt://, mqtts://, ws:// or wss://");
  else checkAddress(at.url, url);
  return {
    url,
    username: at.username.or(null, (name) => name.text()),
    password: readSecret(at.password, at.password_file, at.password_env, edge),
    ca: at.ca_file.or(null, (file) => readFile(file, edge)),
    certificate: at.cert_file.or(null, (file) => readFile(file, edge)),
    certificateKey: at.key_file.or(null, (file) => readFile(file, edge)),
    clientId: at.client_id.or(null, (id) => id.text()),
  };
};

export const readMqttSource = (value: ConfigValue): MqttSource => {
  const at = value.members(["connection", "topic", "path"]);
  return {
    connection: at.connection.text("the name of a connection"),
    topic: topicOf(at.topic),
    path: at.path.or(null, (path) => path.text("a path such as emeters[0].power")),
  };
};

export const readMqttTarget = (value: ConfigValue): MqttTarget => {
  const at = value.members(["connection", "topic", "retain"]);
  return {
    connection: at.connection.text("the name of a connection"),
    topic: topicOf(at.topic),
    retain: at.retain.or(true, (retain) => retain.flag()),
  };
};

/** One topic: a value must not come from several. */
export const topicOf = (value: ConfigValue): string => {
  const topic = value.text("a topic");
  if (/[+#]/.test(topic)) value.fault("must be one topic, without + or #");
  return topic;
};
