-- breaks: no
-- Why a session was ended, for the browser that had it; null while it counts, and where it was ended before this.
alter table sessions add column end_reason text;
