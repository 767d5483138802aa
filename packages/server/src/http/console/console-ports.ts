import type { Within } from "../../operations/answer-once.js";
import type { KeyPorts } from "../../operations/manage-keys.js";
import type { Ports } from "../../operations/ports.js";
import type { UserPorts } from "../../operations/sign-in-ports.js";
import type { EnvironmentPorts, RoutedStores, SandboxView } from "../operator/operator-ports.js";
import type { OncePorts } from "../serve-once.js";

/** What a participant's people do themselves works with: the operator's operations, within an account. */
export type ConsolePorts = EnvironmentPorts &
  Ports<RoutedStores> &
  OncePorts<Within<RoutedStores>> &
  KeyPorts &
  UserPorts & {
    /** Address under which people reach the service, without a slash at its end. */
    readonly publicUrl: string;
    readonly sandbox: Pick<SandboxView, "ports" | "participant">;
    /** Makes this process ask anew for every key. */
    forgetKeys(): void;
  };
