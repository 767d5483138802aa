-- breaks: no
-- Those who have sent keys just now are held to their share of kept answers; nobody else's are read.
create index on kept_answers (holder, claimed_at);
create index on sandbox.kept_answers (holder, claimed_at);
