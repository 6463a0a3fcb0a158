<?php

declare(strict_types=1);

/** $rawBody: the request's bytes, from php://input. $now: seconds since 1970. */
function verify(string $rawBody, ?string $header, string $secret, int $now): bool
{
    if (preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/', $header ?? '', $match) !== 1) {
        return false;
    }
    [, $timestamp, $given] = $match;
    if (abs($now - (int) $timestamp) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    return hash_equals($expected, $given);
}

// php verify.php <header> [now] <body, with the secret in WEBHOOK_SECRET
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $now = isset($argv[2]) ? (int) $argv[2] : time();
    $secret = (string) getenv('WEBHOOK_SECRET');
    $rawBody = (string) file_get_contents('php://stdin');
    exit(verify($rawBody, $argv[1] ?? null, $secret, $now) ? 0 : 1);
}
