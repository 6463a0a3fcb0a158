-- The language in which a person reads the console; null until they choose one.
ALTER TABLE app_user ADD COLUMN language text;
ALTER TABLE app_user
  ADD CONSTRAINT app_user_language_check CHECK (language IN ('en', 'de', 'fr', 'es', 'pt'));
ALTER TABLE operator_user ADD COLUMN language text;
ALTER TABLE operator_user
  ADD CONSTRAINT operator_user_language_check CHECK (language IN ('en', 'de', 'fr', 'es', 'pt'));
