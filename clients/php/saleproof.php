<?php

/**
 * Checks purchase codes against a Saleproof API from PHP: one file, no dependencies, PHP 7.4 and newer with its cURL extension.
 *
 *     require_once __DIR__ . '/saleproof.php';
 *     $saleproof = new \Saleproof\Client([
 *         'base_url' => 'https://api.shop.example',
 *         'api_key' => 'A PUBLISHABLE KEY',
 *         'item_id' => 101,
 *         'on_unknown' => ['allow_cached_seconds' => 3 * 86400],
 *         'directory' => '/a/private/writable/directory',
 *         'pepper' => 'YOUR_PEPPER: 32 random characters or more',
 *     ]);
 *     $check = $saleproof->check($code);
 *
 * `$check->outcome` is `valid`, `invalid` or `unknown`. An outage is never `invalid`, and nothing but an answer of the API is `valid`.
 * Everything is described in README.md beside this file. MIT license.
 */

declare(strict_types=1);

namespace Saleproof;

// Two plugins may both bring this file: the first copy serves both. To be sure of your own copy, change the namespace above.
// A block around all classes, because OPcache declares those at the top of a file before it runs any line.
if (!\class_exists(Client::class, false)) :

/** A mistake in the options. The message says what to do and repeats no value. */
final class ConfigurationError extends \InvalidArgumentException
{
}

/** Why the outcome is unknown. Safe to log: it holds no text of a response, because proxies echo keys and codes. */
final class CheckError
{
    /**
     * `timeout`, `connection`, `invalid_response` (not a response of this API), `authentication` (the key was refused), `not_found`,
     * `rate_limited`, `rejected`, `server` or `internal` (this PHP lacks a function).
     */
    public string $kind;

    /** The reason: one of the error codes of the API, or one of this file, such as `redirected` or `curl_60`. */
    public ?string $code;

    /** The HTTP status, if a response arrived. */
    public ?int $status;

    /** What this file sent as `X-Request-Id`: quote it to the seller's support. */
    public ?string $requestId;

    /** Whether the same check may succeed later. */
    public bool $retryable;

    /** How many seconds the API asked to wait. */
    public ?float $retryAfter;

    /** @internal */
    public function __construct(
        string $kind,
        ?string $code = null,
        ?int $status = null,
        bool $retryable = false,
        ?string $requestId = null,
        ?float $retryAfter = null
    ) {
        $this->kind = $kind;
        $this->code = $code;
        $this->status = $status;
        $this->retryable = $retryable;
        $this->requestId = $requestId;
        $this->retryAfter = $retryAfter;
    }

    public function __toString(): string
    {
        return \implode(' ', \array_filter([$this->kind, $this->status, $this->code, $this->requestId]));
    }
}

/** The result of a check. */
final class Check
{
    /** `valid`, `invalid` or `unknown`. Not a boolean, because there are three outcomes. */
    public string $outcome = 'unknown';

    /** The purchase of a valid check, without fields of its item that `item_fields` does not name. */
    public ?array $purchase = null;

    /**
     * Why the check is invalid: `malformed_code` (nothing was sent), `purchase_not_found`, `purchase_not_active` (refunded or revoked) or
     * `wrong_item`.
     */
    public ?string $reason = null;

    /** Why the check is unknown. */
    public ?CheckError $error = null;

    /** `api` (a new response), `cache` (remembered), `grace` (an outage, and the last answer was valid) or `local` (nothing was sent). */
    public string $source;

    /** When the API said that the check is valid, as a Unix timestamp. */
    public ?int $checkedAt = null;

    /** The end of grace: until when a valid check stays valid if the API cannot be reached, as a Unix timestamp. */
    public ?int $graceUntil = null;

    /** @internal */
    public function __construct(string $source)
    {
        $this->source = $source;
    }
}

/** The client of one workspace and, with `item_id`, of one item. */
final class Client
{
    /** In a closure: `var_export` and casts to an array print every property, but not what a closure holds. */
    private \Closure $checker;

    /**
     * @param array $options Described in README.md. Required: `base_url`, `api_key` and `on_unknown`.
     * @throws ConfigurationError
     */
    public function __construct(
        #[\SensitiveParameter]
        array $options
    ) {
        $checker = new Checker(Options::read($options));
        $this->checker = static function () use ($checker): Checker {
            return $checker;
        };
    }

    /**
     * Checks a purchase code. Throws nothing.
     *
     * @param mixed $code What the buyer entered. Anything but a text is `malformed_code`.
     */
    public function check($code): Check
    {
        return $this->ask($code, false);
    }

    /**
     * Checks a purchase code by asking the API, also where the last answer is young: for a program in the background, so that no visitor
     * waits. Throws nothing.
     *
     * @param mixed $code
     */
    public function refresh($code): Check
    {
        return $this->ask($code, true);
    }

    /**
     * Forgets what is remembered of a code: the next check asks the API.
     *
     * @param mixed $code
     */
    public function forget($code): void
    {
        ($this->checker)()->forget($code);
    }

    /** Forgets an outage: the next check asks the API. What is remembered of codes stays. */
    public function reset(): void
    {
        ($this->checker)()->reset();
    }

    public function __debugInfo(): array
    {
        return [];
    }

    public function __serialize(): array
    {
        throw new \LogicException('A client cannot be serialized: create it where it is used.');
    }

    /** @param mixed $code */
    private function ask($code, bool $isRefresh): Check
    {
        try {
            return ($this->checker)()->check($code, $isRefresh);
        } catch (\Throwable $error) {
            // Hosts disable functions. The message may hold what was entered.
            $check = new Check('local');
            $check->error = new CheckError('internal');
            return $check;
        }
    }
}

/** @internal What a client does. Holds the key and the pepper. */
final class Checker
{
    private const PURCHASE_FIELDS = [
        'purchase_code', 'license_type', 'price', 'currency', 'item', 'supported_until', 'downloaded', 'date',
    ];
    private array $options;
    private Transport $transport;
    private ?Cache $cache = null;

    public function __construct(
        #[\SensitiveParameter]
        array $options
    ) {
        $this->options = $options;
        $this->transport = new Transport($options);
        if ($options['store'] !== null) {
            $identity = \json_encode([$options['base_url'], $options['api_key'], $options['item_id']]);
            $key = \hash_hmac('sha256', $identity, $options['pepper'] ?? '');
            $this->cache = new Cache($options['store'], $key, $options['log']);
        }
    }

    /** @param mixed $code */
    public function check($code, bool $isRefresh): Check
    {
        $sent = PurchaseCode::read($code);
        if ($sent === null) {
            return $this->result(['reason' => 'malformed_code'], 'local');
        }
        if ($this->cache !== null) {
            return $this->checkWithCache($this->cache, $sent, $isRefresh);
        }
        return $this->result($this->ask($sent, $this->options['max_retries'], $this->options['total_timeout_seconds']), 'api');
    }

    /** @param mixed $code */
    public function forget($code): void
    {
        $sent = PurchaseCode::read($code);
        if ($sent === null || $this->cache === null) {
            return;
        }
        $cache = $this->cache;
        $hash = $cache->hash($sent);
        $cache->update(static function (State $state) use ($cache, $hash): void {
            unset($state->guesses[$hash]);
            $cache->remove($hash);
        });
    }

    public function reset(): void
    {
        if ($this->cache !== null) {
            $this->cache->update(static function (State $state): void {
                $state->outage = null;
            });
        }
    }

    /** `print_r` and `var_dump` look into closures. */
    public function __debugInfo(): array
    {
        return [];
    }

    private function checkWithCache(Cache $cache, string $code, bool $isRefresh): Check
    {
        $hash = $cache->hash($code);
        $state = $cache->state();
        $now = $this->now();
        $last = $this->lastAnswer($cache, $state, $hash, $code);
        $ttl = $this->options[isset($last['reason']) ? 'negative_ttl_seconds' : 'ttl_seconds'];
        $isYoung = $last !== null && $state->isYounger($last['at'], $ttl, $now);
        if ($isYoung && !$isRefresh && $this->recordTime($cache, $state, $now)) {
            return $this->result($last, 'cache');
        }
        $hasGrace = $this->hasGrace($last, $state, $now);
        $error = $this->blockedBy($cache, $state, $hash, $now);
        if ($error !== null) {
            $isGranted = $hasGrace && $this->recordTime($cache, $state, $now);
            return $isGranted ? $this->result($last, 'grace') : $this->result(['error' => $error], 'cache');
        }
        // One attempt after an outage: the visitor whose check probes the API does not wait for three.
        $retries = $state->blockedUntil($hash) === 0.0 ? $this->options['max_retries'] : 0;
        $answer = $this->ask($code, $retries, $this->options[$hasGrace ? 'grace_timeout_seconds' : 'total_timeout_seconds']);
        return isset($answer['error']) ? $this->afterFailure($cache, $code, $answer) : $this->afterAnswer($cache, $code, $answer);
    }

    /** What the API said last about a code, as far as that is remembered. */
    private function lastAnswer(Cache $cache, State $state, string $hash, string $code): ?array
    {
        $last = $state->guesses[$hash] ?? $cache->answer($hash);
        if (isset($last['purchase'])) {
            $last['purchase']['purchase_code'] = $code;
            $last['hasGrace'] = true;
            $passes = $this->options['passes'];
            return $passes === null ? $last : $passes->believe($last, $code, $this->options['item_id']);
        }
        // Without a pepper anybody can seal a record: what says neither yes nor no must not count as a yes.
        return isset($last['reason']) ? $last : null;
    }

    private function hasGrace(?array $last, State $state, float $now): bool
    {
        return isset($last['purchase']) && $state->isYounger($last['at'], $this->graceEnd($last) - $last['at'], $now);
    }

    private function graceEnd(array $answer): float
    {
        return $answer['until'] ?? $answer['at'] + $this->options['allow_cached_seconds'];
    }

    /** Asks the API: an answer with a `purchase`, a `reason` or an `error`, and `at`, the time of the request. */
    private function ask(string $code, int $maxRetries, float $timeout): array
    {
        $at = $this->now();
        $answer = $this->transport->validate($code, $maxRetries, $timeout);
        if (isset($answer['purchase'])) {
            $purchase = \array_intersect_key($answer['purchase'], \array_flip(self::PURCHASE_FIELDS));
            $itemId = $this->options['item_id'];
            $isOther = $itemId !== null && Response::integer($purchase['item']['id']) !== $itemId;
            $purchase['item'] = \array_intersect_key($purchase['item'], \array_flip($this->options['item_fields']));
            $answer = $isOther ? ['reason' => 'wrong_item'] : ['purchase' => $purchase] + $answer;
        }
        return $answer + ['at' => $at];
    }

    /**
     * Moves the clock's high-water mark in the file, at most once a minute. Where that is not possible, nothing remembered counts: a
     * file that cannot be written would keep its grace after the clock was set back.
     */
    private function recordTime(Cache $cache, State $state, float $now): bool
    {
        return $now - $state->clock < 60 || $cache->update(static function (State $state) use ($now): void {
            $state->clock = \max($state->clock, $now);
        });
    }

    /** The last error while a code may not be asked about; null where it may. After a backoff one process probes for all. */
    private function blockedBy(Cache $cache, State $state, string $hash, float $now): ?CheckError
    {
        $until = $state->blockedUntil($hash);
        if ($until === 0.0 || $now < $state->clock) {
            return null;
        }
        $mayAsk = $now >= $until;
        if ($mayAsk) {
            $probeEnd = $now + $this->options['timeout_seconds'];
            $cache->update(static function (State $state) use ($hash, $now, $probeEnd, &$mayAsk): void {
                $mayAsk = $now >= $state->blockedUntil($hash);
                if ($mayAsk && $state->outage !== null) {
                    $state->outage['until'] = $probeEnd;
                }
            });
        }
        return $mayAsk ? null : $state->lastError($hash, $now);
    }

    private function afterFailure(Cache $cache, string $code, array $answer): Check
    {
        $grace = null;
        $isWritten = $cache->update(function (State $state) use ($cache, $code, $answer, &$grace): void {
            $now = $this->now();
            $state->clock = \max($state->clock, $now);
            if ($state->isRefusal($answer['error'])) {
                $state->outage = null;
                return;
            }
            $hash = $cache->hash($code);
            $last = $this->lastAnswer($cache, $state, $hash, $code);
            $grace = $this->hasGrace($last, $state, $now) ? $last : null;
            $state->recordFailure($answer['error'], $hash, $now);
        });
        return $isWritten && $grace !== null ? $this->result($grace, 'grace') : $this->result($answer, 'api');
    }

    private function afterAnswer(Cache $cache, string $code, array $answer): Check
    {
        $hash = $cache->hash($code);
        $isWritten = $cache->update(function (State $state) use ($cache, $code, $hash, &$answer): bool {
            $now = $this->now();
            $state->recordAnswer($now);
            if (!PurchaseCode::isKnown($code)) {
                return true;
            }
            $last = $this->lastAnswer($cache, $state, $hash, $code);
            if (isset($answer['purchase'], $last['reason']) && $last['at'] > $answer['at'] && $last['at'] <= $now) {
                // Another process got an invalid result after this request was sent.
                $answer = $last;
                return true;
            }
            return $this->store($cache, $state, $hash, $answer, $now);
        });
        if (!$isWritten) {
            $answer['hasGrace'] = false;
        }
        // Grace must not survive an invalid result that could not be written.
        if (!$isWritten && isset($answer['reason'])) {
            $cache->remove($hash);
        }
        return $this->result($answer, 'api');
    }

    /** An invalid result is needed as long as it is used, and while an earlier request may still bring a valid one. */
    private function store(Cache $cache, State $state, string $hash, array &$answer, float $now): bool
    {
        unset($state->guesses[$hash]);
        if (isset($answer['reason']) && $cache->answer($hash) === null) {
            $seconds = \max($this->options['negative_ttl_seconds'], $this->options['total_timeout_seconds']);
            $state->storeGuess($hash, $answer, $now - $seconds);
            return true;
        }
        $stored = $answer;
        if (isset($answer['purchase'])) {
            $stored['purchase']['purchase_code'] = '';
            $answer['hasGrace'] = true;
        }
        return $cache->store($hash, $stored);
    }

    /** @param array $answer With a `purchase`, a `reason` or an `error`. */
    private function result(array $answer, string $source): Check
    {
        $check = new Check($source);
        if (isset($answer['error'])) {
            $check->error = $answer['error'];
        } elseif (isset($answer['reason'])) {
            $check->outcome = 'invalid';
            $check->reason = $answer['reason'];
        } else {
            $check->outcome = 'valid';
            $check->purchase = $answer['purchase'];
            $check->checkedAt = (int) $answer['at'];
            $end = $this->graceEnd($answer);
            $check->graceUntil = $end > $answer['at'] && ($answer['hasGrace'] ?? false) ? (int) $end : null;
        }
        ($this->options['log'])('check', $check->outcome . ' ' . $source . ($check->error ? ' ' . $check->error : ''));
        return $check;
    }

    private function now(): float
    {
        return (float) ($this->options['now'])();
    }
}

/** @internal Reads the options. */
final class Options
{
    private const DEFAULTS = [
        'base_url' => null,
        'api_key' => null,
        'on_unknown' => null,
        'passes' => null,
        'item_id' => null,
        'item_fields' => ['id', 'name', 'url', 'version'],
        'directory' => null,
        'store' => null,
        'pepper' => null,
        'ttl_seconds' => 900,
        'negative_ttl_seconds' => 30,
        'timeout_seconds' => 5,
        'total_timeout_seconds' => 15,
        'grace_timeout_seconds' => 2,
        'max_retries' => 2,
        'invalid_messages' => [],
        'allow_insecure_http' => false,
        'ca_file' => null,
        'proxy' => null,
        'log' => null,
        'now' => null,
    ];

    public static function read(
        #[\SensitiveParameter]
        array $given
    ): array {
        self::check(\array_diff_key($given, self::DEFAULTS) === [], 'Remove or correct the options that saleproof.php does not know; README.md lists those it knows.');
        $options = $given + self::DEFAULTS;
        $options['base_url'] = self::baseUrl($options['base_url'], $options['allow_insecure_http'] === true);
        $options['api_key'] = \is_string($options['api_key']) ? \trim($options['api_key']) : '';
        self::check(
            \preg_match('/^[!-~]{1,255}\z/', $options['api_key']) === 1,
            'Set `api_key` to a publishable key of your workspace: 1 to 255 visible ASCII characters.'
        );
        $options['item_id'] = \array_key_exists('item_id', $given) ? self::itemId($given['item_id']) : null;
        $hasPasses = $options['passes'] !== null;
        self::check(
            !$hasPasses || $options['on_unknown'] === null,
            'Leave out `on_unknown`: with `passes` a code is valid in an outage until its pass ends.'
        );
        $options['allow_cached_seconds'] = $hasPasses ? 0 : self::allowCached($options['on_unknown']);
        $options['store'] = self::store($options);
        self::checkNumbers($options);
        foreach (['invalid_messages', 'item_fields'] as $name) {
            $isList = \is_array($options[$name]) && \array_filter($options[$name], 'is_string') === $options[$name];
            self::check($isList, "Set `$name` to a list of texts.");
        }
        self::check(
            $options['ca_file'] === null || (\is_string($options['ca_file']) && \is_readable($options['ca_file'])),
            'Set `ca_file` to a readable file of certificate authorities, or leave it out.'
        );
        self::check(
            $options['proxy'] === null || (\is_string($options['proxy']) && $options['proxy'] !== ''),
            'Set `proxy` to the address of a proxy, such as http://user:password@proxy.example:3128, or leave it out.'
        );
        $options['log'] = self::logger($options['log']);
        $options['now'] = $options['now'] ?? static function (): float {
            return \microtime(true);
        };
        $options['passes'] = $hasPasses ? self::passes($options['passes'], $options['now']) : null;
        return $options;
    }

    private static function check(bool $right, string $message): void
    {
        if (!$right) {
            throw new ConfigurationError($message);
        }
    }

    /** @param mixed $url */
    private static function baseUrl($url, bool $insecure): string
    {
        $url = \is_string($url) ? \rtrim($url, '/') : '';
        self::check(
            \preg_match('~^https?://[^\s?#@\\\\/]+(/[^\s?#@\\\\]*)?\z~i', $url) === 1 && \filter_var($url, \FILTER_VALIDATE_URL) !== false,
            'Set `base_url` to the address of the API, such as https://api.shop.example: without user, query and fragment.'
        );
        $local = \preg_match('~^http://(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1])(?=[:/]|\z)~i', $url) === 1;
        self::check(
            $insecure || $local || \stripos($url, 'https:') === 0,
            'Use https in `base_url`, or set `allow_insecure_http` to true where the network between is trusted.'
        );
        return $url;
    }

    /** @param mixed $id */
    private static function itemId($id): string
    {
        $text = \is_int($id) || \is_string($id) ? (string) $id : '';
        self::check(
            \preg_match('/^[1-9]\d{0,15}\z/', $text) === 1,
            'Set `item_id` to the id of your item, or leave it out to accept codes of every item of the key.'
        );
        return $text;
    }

    /** @param mixed $choice */
    private static function allowCached($choice): int
    {
        $seconds = \is_array($choice) && \array_keys($choice) === ['allow_cached_seconds'] ? $choice['allow_cached_seconds'] : null;
        self::check(
            $choice === 'deny' || (\is_int($seconds) && $seconds > 0 && $seconds <= 2592000),
            "Choose `on_unknown`: 'deny', or ['allow_cached_seconds' => N] to keep codes valid for N seconds after the last yes (30 days at most)."
        );
        return (int) $seconds;
    }

    /** @param mixed $passes */
    private static function passes($passes, callable $now): Passes
    {
        self::check(\function_exists('sodium_crypto_sign_verify_detached'), 'Enable the extension sodium of PHP: `passes` needs it.');
        $given = \is_array($passes) ? $passes + ['workspace' => null, 'public_keys' => null] : [];
        $keys = [];
        foreach (\is_array($given['public_keys'] ?? null) ? $given['public_keys'] : [null] as $text) {
            $key = \is_string($text) ? Passes::decode($text) : null;
            self::check($key !== null && \strlen($key) === 32, 'Set `public_keys` of `passes` to a list of public keys, as the console shows them.');
            $keys[\substr(Passes::encode(\hash('sha256', $key, true)), 0, 16)] = $key;
        }
        self::check($keys !== [], 'Set `public_keys` of `passes` to one public key at least.');
        $hasWorkspace = \is_string($given['workspace']) && $given['workspace'] !== '' && \count($given) === 2;
        self::check($hasWorkspace, 'Set `workspace` of `passes` to the name of the workspace in addresses, and nothing else than `public_keys` beside it.');
        return new Passes($given['workspace'], $keys, $now);
    }

    private static function store(
        #[\SensitiveParameter]
        array $options
    ): ?Store {
        ['directory' => $directory, 'store' => $store] = $options;
        self::check(
            $directory === null || (\is_string($directory) && $directory !== '' && $store === null),
            'Set `directory` to a private writable directory, or `store` to a store, but not both.'
        );
        self::check($store === null || $store instanceof Store, 'Set `store` to an object that implements Store.');
        $store = $directory === null ? $store : new FileStore($directory);
        self::check(
            $store !== null || $options['allow_cached_seconds'] === 0,
            'Set `directory` to a private writable directory: grace is kept in files there.'
        );
        self::check(
            $store === null || $options['passes'] !== null || (\is_string($options['pepper']) && \preg_match('/^(?!YOUR_PEPPER).{32}/s', $options['pepper']) === 1),
            "Set `pepper` to a secret of this installation of at least 32 characters, such as WordPress's wp_salt('auth')."
        );
        return $store;
    }

    private static function checkNumbers(
        #[\SensitiveParameter]
        array $options
    ): void {
        $bounds = [
            'ttl_seconds' => [0, 2592000],
            'negative_ttl_seconds' => [0, 86400],
            'timeout_seconds' => [0.001, 300],
            'total_timeout_seconds' => [0.001, 300],
            'grace_timeout_seconds' => [0.001, 300],
            'max_retries' => [0, 9],
        ];
        foreach ($bounds as $name => [$least, $most]) {
            $value = $options[$name];
            $number = \is_int($value) || (\is_float($value) && \substr($name, -8) === '_seconds');
            self::check($number && $value >= $least && $value <= $most, "Set `$name` to a number from $least to $most.");
        }
    }

    /** A logger that only observes: what it throws is ignored. */
    private static function logger(?callable $log): \Closure
    {
        return static function (string $event, string $detail) use ($log): void {
            try {
                if ($log !== null) {
                    $log($event, $detail);
                }
            } catch (\Throwable $ignored) {
            }
        };
    }
}

/** @internal The one form of purchase codes, in which they are sent, compared and remembered. */
final class PurchaseCode
{
    private const SPACE = '[\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]+';

    /**
     * The form of a code; null when it is malformed. What the API rejects as malformed must be rejected here: otherwise a buyer could
     * force the outcome `unknown`, and with it grace. So are characters that this PHP does not know: their form may be another one.
     *
     * @param mixed $code
     */
    public static function read($code): ?string
    {
        $text = \is_string($code) ? self::trim(self::form($code)) : '';
        return \preg_match('/^[^\p{Cc}\p{Cs}\p{Cn}]{1,255}\z/u', $text) === 1 && self::isAssigned($text) ? $text : null;
    }

    /** Whether the form of a code is known, which it needs to be remembered: without intl that of ASCII alone, whatever its dashes. */
    public static function isKnown(string $form): bool
    {
        return self::hasIntl() || \preg_match('/[^\x00-\x7f]/', $form) !== 1;
    }

    /** Whether a response is about the requested code: a cache on the way may have returned another one. */
    public static function isSame(string $sent, string $received): bool
    {
        if (self::isKnown($sent)) {
            return self::read($received) === $sent;
        }
        // Sent as it was entered: the letters and digits that are known must be there.
        return \preg_match('/^' . \preg_replace('/[^A-Za-z0-9]+/', '.*', $sent) . '\z/s', $received) === 1;
    }

    private static function hasIntl(): bool
    {
        return \class_exists(\Normalizer::class);
    }

    /** The tables of intl are others than those of PCRE. */
    private static function isAssigned(string $text): bool
    {
        if (!self::hasIntl()) {
            return true;
        }
        \preg_match_all('/[^\x00-\x7f]/u', $text, $characters);
        return \array_filter($characters[0], [\IntlChar::class, 'isdefined']) === $characters[0];
    }

    private static function form(string $code): string
    {
        $nfkc = static function (string $text): string {
            return self::hasIntl() ? (string) \Normalizer::normalize($text, \Normalizer::FORM_KC) : $text;
        };
        $text = $nfkc((string) \preg_replace('/[\x{200b}-\x{200d}\x{2060}\x{feff}]/u', '', $nfkc($code)));
        return (string) \preg_replace('/[\x{2010}-\x{2015}\x{2212}\x{fe58}\x{fe63}\x{ff0d}]/u', '-', $text);
    }

    private static function trim(string $text): string
    {
        return (string) \preg_replace('/^' . self::SPACE . '|' . self::SPACE . '\z/u', '', $text);
    }
}

/** @internal Sends a validation, with its retries. Only by cURL: PHP's streams bound neither the whole time nor detect a body cut short. */
final class Transport
{
    private const FIRST_BACKOFF_SECONDS = 0.25;
    /** libcurl's codes for certificates that are not trusted or cannot be read: another attempt changes nothing. */
    private const CERTIFICATE_ERRORS = [51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98];
    private const PATH = '/api/purchases/validation';

    private array $options;

    public function __construct(
        #[\SensitiveParameter]
        array $options
    ) {
        $this->options = $options;
    }

    /** @return array With a `purchase`, a `reason` or an `error`. */
    public function validate(string $code, int $maxRetries, float $timeout): array
    {
        if (!\function_exists('curl_exec')) {
            return ['error' => new CheckError('connection', 'curl_missing')];
        }
        $end = self::seconds() + \min($timeout, $this->options['total_timeout_seconds']);
        for ($attempt = 1;; $attempt++) {
            $answer = $this->attempt($code, \min($this->options['timeout_seconds'], $end - self::seconds()));
            $error = $answer['error'] ?? null;
            if ($error === null || !$error->retryable || $attempt > $maxRetries) {
                return $answer;
            }
            $wait = self::retryDelay($attempt, $error->retryAfter);
            if ($wait >= $end - self::seconds()) {
                return $answer;
            }
            \usleep((int) ($wait * 1e6));
        }
    }

    /** Any time up to the backoff; what the API asked for is never shortened. */
    private static function retryDelay(int $attempt, ?float $retryAfter): float
    {
        $random = \mt_rand() / \mt_getrandmax();
        return $retryAfter === null
            ? $random * self::FIRST_BACKOFF_SECONDS * 2 ** ($attempt - 1)
            : $retryAfter + $random * self::FIRST_BACKOFF_SECONDS;
    }

    private function attempt(string $code, float $timeout): array
    {
        $requestId = \bin2hex(\random_bytes(12));
        $response = new Response($requestId);
        $curl = \curl_init();
        if (!\curl_setopt_array($curl, $this->curlOptions($code, $timeout, $response, $requestId))) {
            return ['error' => new CheckError('connection', 'curl_options')];
        }
        \curl_exec($curl);
        $number = \curl_errno($curl);
        // Before the errors of cURL: it was this file that ended a response that is too large.
        if ($number === 0 || $response->isTooLarge) {
            return $response->read($code, $this->options['invalid_messages'], $this->options['passes']);
        }
        $kind = $number === 28 ? 'timeout' : 'connection';
        $retryable = !\in_array($number, self::CERTIFICATE_ERRORS, true);
        return ['error' => new CheckError($kind, $kind === 'timeout' ? null : "curl_$number", null, $retryable, $requestId)];
    }

    private function curlOptions(string $code, float $timeout, Response $response, string $requestId): array
    {
        $milliseconds = \max(1, (int) \ceil($timeout * 1000));
        $url = $this->options['base_url'] . self::PATH;
        $options = [
            \CURLOPT_SSL_VERIFYPEER => true,
            \CURLOPT_SSL_VERIFYHOST => 2,
            \CURLOPT_SSLVERSION => \CURL_SSLVERSION_TLSv1_2,
            \CURLOPT_PROTOCOLS => \stripos($url, 'http:') === 0 ? \CURLPROTO_HTTP : \CURLPROTO_HTTPS,
            \CURLOPT_FOLLOWLOCATION => false,
            \CURLOPT_URL => $url,
            \CURLOPT_POSTFIELDS => \http_build_query(['purchase_code' => $code], '', '&'),
            \CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . $this->options['api_key'],
                'Content-Type: application/x-www-form-urlencoded',
                'Accept: application/json',
                "X-Request-Id: $requestId",
                'Expect:',
            ],
            \CURLOPT_USERAGENT => 'saleproof-php',
            \CURLOPT_ENCODING => '',
            \CURLOPT_TIMEOUT_MS => $milliseconds,
            \CURLOPT_CONNECTTIMEOUT_MS => $milliseconds,
            // Without it a timeout below a second fails at once on some systems.
            \CURLOPT_NOSIGNAL => true,
            \CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use ($response): int {
                return $response->addHeader($line);
            },
            \CURLOPT_WRITEFUNCTION => static function ($curl, string $chunk) use ($response): int {
                return $response->addBody($chunk);
            },
        ];
        if ($this->options['passes'] !== null) {
            $options[\CURLOPT_HTTPHEADER][] = 'Prefer: pass=' . $this->options['passes']->keyIds();
        }
        foreach (['ca_file' => \CURLOPT_CAINFO, 'proxy' => \CURLOPT_PROXY] as $name => $option) {
            $options += $this->options[$name] === null ? [] : [$option => $this->options[$name]];
        }
        return $options;
    }

    private static function seconds(): float
    {
        return \hrtime(true) / 1e9;
    }
}

/** @internal A response, and what it says about the purchase. */
final class Response
{
    private const MESSAGES = ['Invalid purchase code', 'Código de compra inválido'];
    private const ERROR_CODES = [
        'missing_parameter', 'invalid_parameter', 'conflicting_api_keys', 'malformed_body',
        'missing_api_key', 'invalid_api_key', 'expired_api_key', 'revoked_api_key', 'key_not_allowed',
        'no_items', 'item_not_found', 'purchase_not_found', 'purchase_not_active',
        'body_too_large', 'unsupported_media_type', 'route_not_found', 'method_not_allowed',
        'malformed_request', 'request_timeout', 'request_too_large', 'expectation_failed',
        'rate_limited', 'internal_error', 'unavailable',
    ];

    public bool $isTooLarge = false;
    private int $status = 0;
    private array $headers = [];
    private bool $isHeaderComplete = false;
    private string $body = '';
    private int $bodyLeft = 262144;
    private int $headersLeft = 65536;
    private string $requestId;

    public function __construct(string $requestId)
    {
        $this->requestId = $requestId;
    }

    /** Any other return value than the length makes cURL end the transfer. */
    public function addHeader(string $line): int
    {
        $this->headersLeft -= \strlen($line);
        if ($this->headersLeft < 0) {
            return -1;
        }
        if (\preg_match('~^HTTP/\S+ (\d{3})(?!\d)~', $line, $match) === 1) {
            // Also after an interim response, such as 103.
            $this->status = (int) $match[1];
            $this->headers = [];
            $this->isHeaderComplete = false;
        } elseif (\trim($line) === '') {
            $this->isHeaderComplete = true;
        } elseif (\preg_match('/^([!#-\'*+.^`|~\w-]+):(.*)$/s', $line, $match) !== 1) {
            // Older versions of libcurl skip such a line.
            return -1;
        } elseif (!$this->isHeaderComplete) {
            $this->headers[\strtolower($match[1])][] = \trim($match[2]);
        }
        return \strlen($line);
    }

    public function addBody(string $chunk): int
    {
        $this->bodyLeft -= \strlen($chunk);
        if ($this->bodyLeft < 0) {
            $this->isTooLarge = true;
            return -1;
        }
        $this->body .= $chunk;
        return \strlen($chunk);
    }

    /** @return array With a `purchase`, a `reason` or an `error`. */
    public function read(string $code, array $invalidMessages, ?Passes $passes): array
    {
        if ($this->isTooLarge || ($this->status >= 300 && $this->status < 400)) {
            return $this->fail('invalid_response', $this->isTooLarge ? 'too_large' : 'redirected');
        }
        $body = $this->parse();
        if ($this->status === 200 && ($body['status'] ?? null) === 'success') {
            return $this->readPurchase($body, $code, $passes);
        }
        $isEnvelope = ($body['status'] ?? null) === 'error' && \is_string($body['msg'] ?? null);
        $reason = $this->errorCode();
        if ($isEnvelope && $this->status === 404) {
            $isOlderNo = $reason === null && \in_array($body['msg'], \array_merge(self::MESSAGES, $invalidMessages), true);
            if ($isOlderNo || $reason === 'purchase_not_found' || $reason === 'purchase_not_active') {
                return ['reason' => $reason ?? 'purchase_not_found'];
            }
        }
        return $this->fail($this->kind($isEnvelope), $isEnvelope ? $reason : null);
    }

    /** @param mixed $number Of JSON; a float where it does not fit into an integer of this machine. */
    public static function integer($number): ?string
    {
        if (\is_float($number) && \floor($number) === $number && \abs($number) < 9e15) {
            return \sprintf('%.0f', $number);
        }
        return \is_int($number) ? (string) $number : null;
    }

    private function parse(): ?array
    {
        // A byte order mark is no error elsewhere.
        $text = \strncmp($this->body, "\xef\xbb\xbf", 3) === 0 ? \substr($this->body, 3) : $this->body;
        $body = \json_decode($text, true, 64);
        if (!\is_array($body)) {
            return \json_last_error() === \JSON_ERROR_NONE ? [] : null;
        }
        // A number beyond those of this machine, such as 1e999, could not be written as JSON again.
        return self::hasDuplicateFields($text) || \json_encode($body) === false ? [] : $body;
    }

    /** Whether an object of a JSON text names a field twice: two readers of it would see two answers. */
    public static function hasDuplicateFields(string $json): bool
    {
        $objects = [];
        $token = '/[{}]|("(?:[^"\\\\]++|\\\\.)*+")(\s*+:)?/s';
        for ($offset = 0; \preg_match($token, $json, $match, \PREG_OFFSET_CAPTURE, $offset) === 1;) {
            $offset = $match[0][1] + \strlen($match[0][0]);
            if ($match[0][0] === '{') {
                $objects[] = [];
            } elseif ($match[0][0] === '}') {
                \array_pop($objects);
            } elseif (isset($match[2])) {
                $name = 'name ' . \json_decode($match[1][0]);
                $object = \count($objects) - 1;
                if (isset($objects[$object][$name])) {
                    return true;
                }
                $objects[$object][$name] = true;
            }
        }
        return false;
    }

    private function readPurchase(array $body, string $code, ?Passes $passes): array
    {
        // Older deployments send the purchase as `item`.
        $purchase = $body['data']['purchase'] ?? $body['item'] ?? null;
        if (!\is_array($purchase) || !self::isPurchase($purchase)) {
            return $this->fail('invalid_response', null);
        }
        if (!PurchaseCode::isSame($code, $purchase['purchase_code'])) {
            return $this->fail('invalid_response', null);
        }
        if ($passes === null) {
            return ['purchase' => $purchase];
        }
        $answer = ['purchase' => $purchase, 'pass' => $this->header('x-purchase-pass')];
        return $passes->believe($answer, $code, self::integer($purchase['item']['id']) ?? '') ?? $this->fail('invalid_response', 'unsigned_response');
    }

    /** What decides has to be there and of its type; other fields may be. */
    private static function isPurchase(array $purchase): bool
    {
        foreach (['purchase_code', 'license_type', 'currency', 'date'] as $name) {
            if (!\is_string($purchase[$name] ?? null)) {
                return false;
            }
        }
        $item = $purchase['item'] ?? null;
        $isNumber = static function ($value): bool {
            return \is_int($value) || \is_float($value);
        };
        return \is_bool($purchase['downloaded'] ?? null)
            && \is_array($item)
            && $isNumber($item['id'] ?? null)
            && \is_string($item['name'] ?? null)
            && ($isNumber($purchase['price'] ?? null) || \is_string($item['version'] ?? null));
    }

    private function header(string $name): ?string
    {
        return isset($this->headers[$name]) ? \implode(', ', $this->headers[$name]) : null;
    }

    /** No code at all means an older deployment, so one that is not of the list is `unreadable`. */
    private function errorCode(): ?string
    {
        $code = $this->header('x-error-code');
        return $code === null || \in_array($code, self::ERROR_CODES, true) ? $code : 'unreadable';
    }

    private function kind(bool $isEnvelope): string
    {
        if ($this->status === 429) {
            return 'rate_limited';
        }
        if ($this->status >= 500) {
            return 'server';
        }
        if (!$isEnvelope || $this->status < 400) {
            return 'invalid_response';
        }
        if ($this->status === 404) {
            return 'not_found';
        }
        return $this->status === 401 || $this->status === 403 ? 'authentication' : 'rejected';
    }

    private function fail(string $kind, ?string $reason): array
    {
        // Past its limit of wrong codes the API answers right ones as always.
        $retryable = \preg_match('/^(408|425|429|5(?!01)\d\d)\z/', (string) $this->status) === 1
            && \preg_match('/^"(key-)?failures"/', (string) $this->header('ratelimit')) !== 1;
        return ['error' => new CheckError($kind, $reason, $this->status, $retryable, $this->requestId, $this->retryAfter())];
    }

    private function retryAfter(): ?float
    {
        $header = (string) $this->header('retry-after');
        if (\preg_match('/^\d{1,15}\z/', $header) === 1) {
            return (float) $header;
        }
        $time = \preg_match('/:\d\d GMT\z/', $header) === 1 ? \strtotime($header) : false;
        return $time === false ? null : (float) \max(0, $time - \time());
    }
}

/** @internal Verifies passes: what the service signed about a code, which nobody can say who plays the service. */
final class Passes
{
    // Clocks of buyers are wrong.
    private const LARGEST_LEAD_SECONDS = 86400;

    private string $workspace;
    private array $keys;
    private \Closure $now;

    /** @param array $keys Public keys by their ids. */
    public function __construct(string $workspace, array $keys, callable $now)
    {
        $this->workspace = $workspace;
        $this->keys = $keys;
        $this->now = \Closure::fromCallable($now);
    }

    public static function encode(string $bytes): string
    {
        return \rtrim(\strtr(\base64_encode($bytes), '+/', '-_'), '=');
    }

    /** The bytes of a text of base64url that is the only one of them; null of any other. */
    public static function decode(string $text): ?string
    {
        $bytes = (string) \base64_decode(\strtr($text, '-_', '+/'), true);
        return self::encode($bytes) === $text ? $bytes : null;
    }

    public function keyIds(): string
    {
        return \implode(',', \array_keys($this->keys));
    }

    /** An answer with what its pass says in place of what may be forged; null where the pass does not say it now. */
    public function believe(array $answer, string $code, ?string $itemId): ?array
    {
        $claims = $this->verify((string) ($answer['pass'] ?? ''));
        $now = ($this->now)();
        $isRight = ($claims['aud'] ?? null) === $this->workspace
            && ($claims['sub'] ?? null) === self::encode(\hash('sha256', "saleproof-pass\0$code", true))
            && ($itemId === null || Response::integer($claims['item'] ?? null) === $itemId)
            && self::isTime($claims['iat'] ?? null) && $claims['iat'] <= $now + self::LARGEST_LEAD_SECONDS
            && self::isTime($claims['exp'] ?? null) && $claims['exp'] > $now;
        if (!$isRight) {
            return null;
        }
        $answer['until'] = $claims['exp'];
        if (isset($answer['purchase']['item']['id'])) {
            $answer['purchase']['item']['id'] = $claims['item'];
        }
        $answer['purchase']['license_type'] = $claims['license'] ?? null;
        unset($answer['purchase']['supported_until']);
        $answer['purchase'] += \array_intersect_key($claims, ['supported_until' => true]);
        return $answer;
    }

    /** The claims of a pass that one of the keys signed. */
    private function verify(string $pass): array
    {
        if (\preg_match('/^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})\z/', $pass, $parts) !== 1) {
            return [];
        }
        [$head, $claims, $signature] = \array_map([self::class, 'decode'], \array_slice($parts, 1));
        if ($head === null || $claims === null || $signature === null) {
            return [];
        }
        $header = self::read($head);
        $kid = $header['kid'] ?? null;
        $key = \is_string($kid) ? $this->keys[$kid] ?? null : null;
        $isSigned = $key !== null
            && ($header['alg'] ?? null) === 'EdDSA'
            && ($header['typ'] ?? null) === 'purchase-pass+jwt'
            && !\array_key_exists('crit', $header)
            && \sodium_crypto_sign_verify_detached($signature, "$parts[1].$parts[2]", $key);
        return $isSigned ? self::read($claims) : [];
    }

    private static function read(string $json): array
    {
        $value = \json_decode($json, true, 8);
        return \is_array($value) && !Response::hasDuplicateFields($json) ? $value : [];
    }

    /** @param mixed $value A float on a machine of 32 bits. */
    private static function isTime($value): bool
    {
        return \is_int($value) || \is_float($value);
    }
}

/** @internal What the checks of all codes share. Times are Unix timestamps with fractions. */
final class State
{
    private const MAX_GUESSES = 200;
    private const FIRST_BACKOFF_SECONDS = 1;
    private const LONGEST_BACKOFF_SECONDS = 30;
    // A response that asks for more is not believed: it would shut everybody out.
    private const LONGEST_RETRY_AFTER_SECONDS = 60;
    private const MAX_FAILED_CODES = 20;

    /** The latest known time. An earlier clock was set back: then nothing that is remembered counts until the API answers. */
    public float $clock = 0.0;
    /** Until when no check asks the API, which codes failed, how often, and the last error; null while it answers. */
    public ?array $outage = null;
    /** Whether the API answered since this state began: one that was removed would let the clock be set back. */
    public bool $isTrusted = false;
    /** Whether the API refused the key: then its limit of failures says nothing about codes. */
    public bool $isKeyRefused = false;
    /** Invalid results of codes that were never valid, oldest first. Apart, so that guesses evict no valid result. */
    public array $guesses = [];

    /** @param array $data The properties, as they were stored. */
    public function __construct(array $data)
    {
        foreach ($data as $name => $value) {
            $this->$name = $value;
        }
    }

    public function isYounger(float $at, float $seconds, float $now): bool
    {
        return $this->isTrusted && $now >= $this->clock && $now >= $at && $now - $at < $seconds;
    }

    /** @param float $since Guesses before this time are of no more use. */
    public function storeGuess(string $hash, array $answer, float $since): void
    {
        $this->guesses[$hash] = $answer;
        $this->guesses = \array_slice(\array_filter($this->guesses, static function (array $guess) use ($since): bool {
            return $guess['at'] > $since;
        }), -self::MAX_GUESSES, null, true);
    }

    /** After an answer the clock is trusted again. */
    public function recordAnswer(float $now): void
    {
        $this->clock = $now;
        $this->isTrusted = true;
        $this->outage = null;
        $this->isKeyRefused = false;
    }

    /** Whether an error stands for the answer that the code is wrong: past its limit of wrong codes the API gives no other. */
    public function isRefusal(CheckError $error): bool
    {
        return $error->kind === 'rate_limited' && !$error->retryable && !$this->isKeyRefused;
    }

    /**
     * Until when a code is not asked about; 0 where no outage concerns it. One code may fail alone, because a filter on the way stops it:
     * until another one fails, too, it blocks none. Those that failed wait a backoff longer, so that others probe first.
     */
    public function blockedUntil(string $hash): float
    {
        if ($this->outage === null) {
            return 0.0;
        }
        ['codes' => $codes, 'kind' => $kind, 'until' => $until, 'backoff' => $backoff] = $this->outage;
        if (\in_array($hash, $codes, true)) {
            return $until + $backoff;
        }
        return \count($codes) > 1 || $kind === 'rate_limited' ? $until : 0.0;
    }

    /** An outage blocks checks, ever longer. Any other error is a response: there is no outage. */
    public function recordFailure(CheckError $error, string $hash, float $now): void
    {
        $this->isKeyRefused = $this->isKeyRefused || $error->kind === 'authentication';
        if (!$error->retryable && $error->kind !== 'connection') {
            $this->outage = null;
            return;
        }
        $others = \array_values(\array_diff($this->outage['codes'] ?? [], [$hash]));
        // The second code begins the outage of all: what the first one did alone makes it no longer.
        $isFirst = $this->blockedUntil($hash) === 0.0;
        $failures = $isFirst ? 1 : \min(10, $this->outage['failures'] + 1);
        $backoff = \min(self::LONGEST_BACKOFF_SECONDS, self::FIRST_BACKOFF_SECONDS * 2 ** ($failures - 1));
        $this->outage = [
            'until' => $now + \max($backoff, \min(self::LONGEST_RETRY_AFTER_SECONDS, $error->retryAfter ?? 0)),
            'backoff' => $backoff,
            'failures' => $failures,
            'codes' => \array_slice([...$others, $hash], -self::MAX_FAILED_CODES),
            'kind' => $error->kind,
            'code' => $error->code,
            'status' => $error->status,
        ];
    }

    public function lastError(string $hash, float $now): CheckError
    {
        ['kind' => $kind, 'code' => $code, 'status' => $status] = $this->outage;
        return new CheckError($kind, $code, $status, true, null, \max(0, $this->blockedUntil($hash) - $now));
    }
}

/** Where a client keeps what it remembers: texts of ASCII by names of ASCII. What it writes cannot be made without the pepper. */
interface Store
{
    /** The text of a name, or null. */
    public function read(string $name): ?string;

    /** Replaces the text of a name at once. Returns whether that worked. */
    public function write(string $name, string $text): bool;

    public function remove(string $name): void;

    /** Does the work while no other process does work of this name. Returns false, and does nothing, where half a second is too short. */
    public function locked(string $name, callable $work): bool;
}

/** @internal What is remembered of the state and of each code, sealed. */
final class Cache
{
    private Store $store;
    private string $prefix;
    private string $key;
    private \Closure $log;

    public function __construct(
        Store $store,
        #[\SensitiveParameter]
        string $key,
        \Closure $log
    ) {
        $this->store = $store;
        // Clients of other services, keys or items have other names.
        $this->prefix = 'saleproof-' . \substr(\hash_hmac('sha256', 'name', $key), 0, 16);
        $this->key = $key;
        $this->log = $log;
    }

    /** What stands for a code. */
    public function hash(string $code): string
    {
        return \substr(\hash_hmac('sha256', "code\n$code", $this->key), 0, 32);
    }

    public function state(): State
    {
        return new State($this->read('') ?? []);
    }

    /** The last answer about a code that was valid once. */
    public function answer(string $hash): ?array
    {
        return $this->read("-$hash");
    }

    /** Only within an update. */
    public function store(string $hash, array $answer): bool
    {
        return $this->write("-$hash", $answer);
    }

    public function remove(string $hash): void
    {
        $this->store->remove("$this->prefix-$hash");
    }

    /** Reads, changes and replaces the state while no other process does. Returns whether that worked. */
    public function update(callable $change): bool
    {
        $isWritten = false;
        try {
            $this->store->locked($this->prefix, function () use ($change, &$isWritten): void {
                $state = $this->state();
                $isWritten = $change($state) !== false && $this->write('', (array) $state);
            });
        } catch (\Throwable $error) {
            $isWritten = false;
        }
        if (!$isWritten) {
            ($this->log)('store_error', 'the store cannot be written, or its lock is held');
        }
        return $isWritten;
    }

    /** What was written under this name with this pepper. */
    private function read(string $name): ?array
    {
        $text = $this->store->read($this->prefix . $name);
        if ($text === null) {
            return null;
        }
        $parts = \explode("\n", $text, 2);
        if (\count($parts) === 2 && \hash_equals($this->mac($name, $parts[1]), $parts[0])) {
            return \json_decode($parts[1], true);
        }
        ($this->log)('store_error', 'an entry is not authentic');
        return null;
    }

    private function write(string $name, array $data): bool
    {
        $payload = \json_encode($data, \JSON_PRESERVE_ZERO_FRACTION);
        return $this->store->write($this->prefix . $name, $this->mac($name, $payload) . "\n" . $payload);
    }

    private function mac(string $name, string $payload): string
    {
        return \hash_hmac('sha256', "file 2 $name\n$payload", $this->key);
    }
}

/** @internal A directory with a file for each name. */
final class FileStore implements Store
{
    // Where the directory is served by a web server that runs PHP, the file shows nothing.
    private const HEAD = "<?php exit; ?>\n";
    private const LONGEST_WAIT_SECONDS = 0.5;
    private const MAX_CODES = 1000;

    private string $directory;

    public function __construct(string $directory)
    {
        $this->directory = \rtrim($directory, '/\\');
    }

    public function read(string $name): ?string
    {
        $text = \function_exists('file_get_contents') ? @\file_get_contents("$this->directory/$name.php") : false;
        return $text === false ? null : (string) \substr($text, \strlen(self::HEAD));
    }

    public function write(string $name, string $text): bool
    {
        $path = "$this->directory/$name.php";
        $isNew = !\is_file($path);
        $new = "$this->directory/$name.new.php";
        $length = \strlen(self::HEAD . $text);
        $isPrivate = @\file_put_contents($new, self::HEAD . $text) === $length && (!\function_exists('chmod') || @\chmod($new, 0600));
        return $isPrivate && @\rename($new, $path) && (!$isNew || $this->evict($name));
    }

    public function remove(string $name): void
    {
        @\unlink("$this->directory/$name.php");
    }

    public function locked(string $name, callable $work): bool
    {
        if (!@\is_dir($this->directory) && !@\mkdir($this->directory, 0700, true) && !@\is_dir($this->directory)) {
            return false;
        }
        $lock = \function_exists('flock') ? @\fopen("$this->directory/$name.lock", 'c') : false;
        if ($lock === false) {
            return false;
        }
        $end = \hrtime(true) / 1e9 + self::LONGEST_WAIT_SECONDS;
        while (!\flock($lock, \LOCK_EX | \LOCK_NB)) {
            if (\hrtime(true) / 1e9 > $end) {
                return false;
            }
            \usleep(5000);
        }
        $work();
        return true;
    }

    /** Removes the codes that were written least recently, where there are too many beside this one. */
    private function evict(string $name): bool
    {
        [, $prefix, $hash] = \explode('-', $name) + [2 => null];
        $paths = [];
        foreach ($hash !== null && \function_exists('scandir') ? \scandir($this->directory) : [] as $file) {
            if (\strpos($file, "saleproof-$prefix-") === 0) {
                $paths[] = "$this->directory/$file";
            }
        }
        $excess = \count($paths) - self::MAX_CODES;
        if ($excess > 0) {
            $times = \array_map('filemtime', $paths);
            \array_multisort($times, $paths);
            \array_map('unlink', \array_slice($paths, 0, $excess));
        }
        return true;
    }
}

/**
 * For a plugin of WordPress. What is remembered is in options, not in transients, which end with a flush of the object cache; WP-Cron asks
 * the API again before a visitor would wait; and the proxy of wp-config.php is used.
 */
final class WordPress implements Store
{
    private const MAX_ROWS = 1000;

    /**
     * The client of a plugin. Create it in the action `init` of each request: WP-Cron looks for it there.
     *
     * @param string $option The name of the option that holds the purchase code.
     * @param array $options Those of a client, without `directory`, `store`, `pepper` and `proxy`.
     */
    public static function client(
        string $option,
        #[\SensitiveParameter]
        array $options
    ): Client {
        $own = ['store' => new self(), 'pepper' => \wp_salt('auth'), 'proxy' => self::proxy((string) ($options['base_url'] ?? ''))];
        // A page waits for the first answer about a code.
        $client = new Client($options + $own + ['total_timeout_seconds' => 5]);
        $hook = "saleproof_refresh_$option";
        \add_action($hook, static fn () => $client->refresh(\get_option($option)));
        \add_action("update_option_$option", static fn ($former) => $client->forget($former));
        if (!\wp_next_scheduled($hook)) {
            \wp_schedule_single_event(\time() + \max(60, (int) (($options['ttl_seconds'] ?? 900) * 2 / 3)), $hook);
        }
        return $client;
    }

    // Past the functions for options: their caches may hold an older answer than the database.

    public function read(string $name): ?string
    {
        global $wpdb;
        $select = "SELECT option_value FROM $wpdb->options WHERE option_name = %s";
        return $wpdb->get_var($wpdb->prepare($select, $name));
    }

    public function write(string $name, string $text): bool
    {
        global $wpdb;
        $row = ['option_name' => $name, 'option_value' => $text, 'autoload' => 'no'];
        $isWritten = $wpdb->replace($wpdb->options, $row) !== false;
        // What was written least recently, because replacing gives a new id.
        $ours = "FROM $wpdb->options WHERE option_name LIKE 'saleproof-%' AND option_name REGEXP '^saleproof-[0-9a-f]{16}'";
        $excess = $wpdb->get_var("SELECT option_id $ours ORDER BY option_id DESC LIMIT " . self::MAX_ROWS . ', 1');
        if ($excess !== null) {
            $wpdb->query("DELETE $ours AND option_id <= " . (int) $excess);
        }
        return $isWritten;
    }

    public function remove(string $name): void
    {
        global $wpdb;
        $wpdb->delete($wpdb->options, ['option_name' => $name]);
    }

    public function locked(string $name, callable $work): bool
    {
        global $wpdb;
        // A lock of the whole server, which ends with the connection, whatever becomes of this process.
        $lock = \md5(\DB_NAME . "\n$wpdb->options\n$name");
        $wasSuppressed = $wpdb->suppress_errors();
        $isLocked = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 0.5)', $lock));
        $wpdb->suppress_errors($wasSuppressed);
        if ($isLocked === '0') {
            return false;
        }
        try {
            // Also where the database refuses such locks: without what is remembered an outage would end every valid result.
            $work();
        } finally {
            if ($isLocked !== null) {
                $wpdb->query($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
            }
        }
        return true;
    }

    private static function proxy(string $url): ?string
    {
        $proxy = new \WP_HTTP_Proxy();
        $user = $proxy->use_authentication() ? \rawurlencode($proxy->username()) . ':' . \rawurlencode($proxy->password()) . '@' : '';
        $address = \preg_replace('~^(\w+://)?~', "\${1}$user", $proxy->host(), 1) . ':' . $proxy->port();
        return $proxy->is_enabled() && $proxy->send_through_proxy($url) ? $address : null;
    }
}

endif;
