import type { Language } from "@curtail/contract/lists/languages";
import { say } from "@curtail/words/page";
import { callAuth } from "../../api/call.js";
import { useSignedIn } from "../../api/session.js";
import { useChange } from "../../api/use-change.js";
import { Card } from "../../ui/card.js";
import { LanguageChoice } from "../../ui/language-choice.js";

/** The language of pages on every browser of the user, and of what the user is sent. */
export const OwnLanguage = () => {
  const { language } = useSignedIn();
  // The answer has set the cookie.
  const change = useChange((chosen: Language | null) => callAuth("PUT", "/language", { body: { language: chosen } }), {
    after: () => window.location.reload(),
  });
  return (
    <Card title={say("Language")}>
      <div className="max-w-sm">
        <LanguageChoice
          value={language}
          none={say("As the browser asks")}
          hint={say("Of pages, emails, notifications and calendars, on every browser that you sign in with.")}
          onChoose={change.run}
          disabled={change.isPending}
        />
      </div>
    </Card>
  );
};
