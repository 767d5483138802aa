import { getRouteApi } from "@tanstack/react-router";
import { useOperator } from "../../api/use-call.js";
import { Found } from "../../parts/found.js";
import { PageHead, Stack } from "../../ui/card.js";
import { AccountOf } from "./account-link.js";
import { Authority } from "./ven/authority.js";
import { Certificates } from "./ven/certificates.js";
import { Events } from "./ven/events.js";
import { Preview } from "./ven/preview.js";
import { Settings } from "./ven/settings.js";

const route = getRouteApi("/operations/vens/$id");

/** One OpenADR client of a participant. */
export const VenPage = () => {
  const { id } = route.useParams();
  return (
    <Found
      of={useOperator("/vens/{id}", { params: { id } }, { everyMs: 15_000 })}
      what="VEN"
      back="/operations/accounts"
    >
      {(ven) => (
        <>
          <PageHead title={`VEN ${ven.ven_id}`} lead={<AccountOf id={ven.account_id} tab="vens" />} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <Stack>
              <Settings ven={ven} />
              <Certificates ven={ven} />
            </Stack>
            <Stack>
              <Events id={id} />
              <Preview id={id} />
              <Authority />
            </Stack>
          </div>
        </>
      )}
    </Found>
  );
};
