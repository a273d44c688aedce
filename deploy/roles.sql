-- The database and its two users on a PostgreSQL server: the owner, as whom migrations run, and the
-- application's user, who can neither change a table or a trigger nor rewrite what is append-only.
-- Run it as the server's superuser, once; again, it sets the two passwords:
--
--   OWNER_PASSWORD=... APPLICATION_PASSWORD=... psql --file deploy/roles.sql
--
-- What the application's user may do with each table is granted by `manage.py migrate`.
-- Other names: --set database=... --set owner=... --set application=...

\set ON_ERROR_STOP on
\if :{?database} \else \set database facetwise \endif
\if :{?owner} \else \set owner facetwise_owner \endif
\if :{?application} \else \set application facetwise \endif
-- From the environment, since arguments of a command can be seen by everybody on the machine.
\set owner_password `printenv OWNER_PASSWORD`
\set application_password `printenv APPLICATION_PASSWORD`
SELECT length(:'owner_password') < 16 OR length(:'application_password') < 16 AS is_weak \gset
\if :is_weak
  \warn 'Set OWNER_PASSWORD and APPLICATION_PASSWORD to at least 16 characters each.'
  SELECT 1/0 AS stopped;
\endif
-- No password in the server's log.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';

SELECT format('CREATE ROLE %I', name) FROM unnest(ARRAY[:'owner', :'application']) AS name
  WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE :"owner" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
  PASSWORD :'owner_password';
ALTER ROLE :"application" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
  PASSWORD :'application_password';

SELECT format('CREATE DATABASE %I OWNER %I ENCODING ''UTF8'' TEMPLATE template0', :'database', :'owner')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \gexec
-- Nobody else connects; and no temporary tables, whose names would hide those that triggers read.
REVOKE ALL ON DATABASE :"database" FROM PUBLIC, :"application";
GRANT CONNECT ON DATABASE :"database" TO :"application";

\connect :"database"
ALTER SCHEMA public OWNER TO :"owner";
REVOKE ALL ON SCHEMA public FROM PUBLIC, :"application";
GRANT USAGE ON SCHEMA public TO :"application";
