import { say } from "@curtail/words/page";
import { useOperator } from "../../../api/use-call.js";
import { Card } from "../../../ui/card.js";
import { Copy } from "../../../ui/copy.js";
import { sayParts } from "../../../ui/say-parts.js";
import { Answered } from "../../../ui/state.js";

/** What every VEN must be configured with: the VTN id and the CA of this service. */
export const Authority = () => (
  <Card title={say("VTN identity")}>
    <Answered of={useOperator("/openadr/ca", {})}>
      {({ certificate, vtn_id }) => (
        <div className="grid gap-2">
          <p>
            {sayParts("The VTN id is {id}. VENs verify the service with the certificate of its authority:", {
              id: <code>{vtn_id}</code>,
            })}
          </p>
          <div
            className="max-h-48 overflow-y-auto"
            tabIndex={0}
            role="region"
            aria-label={say("Certificate of the authority")}
          >
            <Copy text={certificate} label={say("the authority's certificate", {}, "copied")} />
          </div>
        </div>
      )}
    </Answered>
  </Card>
);
