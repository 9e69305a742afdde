<?php

// Remembers 1,001 valid codes, then 300 guesses. Argument: a directory. Prints how many of the codes are remembered, whether the first and
// the last are, and how large the largest file is.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$cache = new Saleproof\Cache(new Saleproof\FileStore($argv[1]), 'key', static function (): void {
});
$cache->update(static function (Saleproof\State $state) use ($argv, $cache): void {
    for ($number = 0; $number <= 1000; $number++) {
        $cache->store($cache->hash("SALE-$number"), ['purchase' => ['item' => ['id' => 101]], 'at' => 1.0]);
        if ($number === 0) {
            \array_map(static fn (string $file) => \touch($file, 1), \glob("$argv[1]/*.php"));
        }
    }
    for ($number = 0; $number < 300; $number++) {
        $state->storeGuess($cache->hash("GUESS-$number"), ['reason' => 'purchase_not_found', 'at' => 2.0], 1.0);
    }
});
$has = static fn (int $number): bool => $cache->answer($cache->hash("SALE-$number")) !== null;
$files = \glob("$argv[1]/*.php");
echo \json_encode([
    'count' => \count(\array_filter(\range(0, 1000), $has)),
    'first' => $has(0),
    'last' => $has(1000),
    'files' => \count($files),
    'largest' => \max(\array_map('filesize', $files)),
]);
