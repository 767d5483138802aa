import { say } from "@curtail/words/page";
import { Badge } from "../ui/badge.js";

/** Next to the name of what the service simulates. */
export const SimulatedMark = ({ of }: { readonly of: { readonly simulated: boolean } }) =>
  of.simulated && (
    <>
      {" "}
      <Badge tone="info">{say("Simulated")}</Badge>
    </>
  );
