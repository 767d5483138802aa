import { say } from "@curtail/words/page";
import { useOperator } from "../../../api/use-call.js";
import { Button } from "../../../ui/button.js";
import { CopyList } from "../../../ui/copy-list.js";
import { Actions } from "../../../ui/dialog.js";
import { sayParts } from "../../../ui/say-parts.js";

/** What a client gets its tokens with. The secret is shown only here. */
export const ClientSecret = ({
  id,
  secret,
  onDone,
}: {
  readonly id: string;
  readonly secret: string;
  readonly onDone: () => void;
}) => {
  const address = useOperator("/addresses", {}).data?.openadr3_url ?? null;
  return (
    <div className="grid gap-3">
      <CopyList
        items={[
          ...(address === null ? [] : [{ title: say("VTN address"), text: address }]),
          { title: say("Client id"), text: id },
          { title: say("Client secret"), text: secret },
        ]}
      />
      <p>
        {sayParts(
          "The secret is shown <strong>once</strong>. Copy it now, and send it to the client's operator on a safe way.",
          { strong: (inside) => <strong>{inside}</strong> },
        )}
      </p>
      <Actions>
        <Button look="primary" onClick={onDone}>
          {say("Done")}
        </Button>
      </Actions>
    </div>
  );
};
