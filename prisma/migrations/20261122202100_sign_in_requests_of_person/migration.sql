-- Whether a person holds a link that works is asked with each request for another one.
CREATE INDEX sign_in_request_user_id_expires_at_idx ON sign_in_request (user_id, expires_at);
CREATE INDEX sign_in_request_operator_user_id_expires_at_idx ON sign_in_request (operator_user_id, expires_at);
