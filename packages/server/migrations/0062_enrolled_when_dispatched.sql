-- breaks: no
-- Whether the site was enrolled in the program when it was dispatched. Not known of sites from before.
alter table dispatch_sites add column was_enrolled boolean not null default false;
alter table sandbox.dispatch_sites add column was_enrolled boolean not null default false;
