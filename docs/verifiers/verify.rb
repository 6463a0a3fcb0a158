require 'openssl'

# raw_body: the request's bytes. now: seconds since 1970.
def verify(raw_body, header, secret, now)
  match = /\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/.match(header.to_s.b)
  return false if match.nil?

  timestamp, given = match.captures
  return false if (now - timestamp.to_i).abs > 300

  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{timestamp}.".b + raw_body.b)
  OpenSSL.fixed_length_secure_compare(expected, given)
end

# ruby verify.rb <header> [now] <body, with the secret in WEBHOOK_SECRET
if __FILE__ == $PROGRAM_NAME
  now = ARGV[1] ? ARGV[1].to_i : Time.now.to_i
  secret = ENV.fetch('WEBHOOK_SECRET', '')
  exit(verify($stdin.binmode.read, ARGV[0], secret, now) ? 0 : 1)
end
