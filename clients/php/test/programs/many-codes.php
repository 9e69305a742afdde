<?php

// Remembers 1,001 valid codes, then 300 guesses. Argument: a directory. Prints which of the codes still have grace, and how large the file is.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$file = new Saleproof\MemoryFile($argv[1], 'key', static function (): void {
});
$file->update(static function (Saleproof\Memory $memory) use ($file): void {
    for ($number = 0; $number <= 1000; $number++) {
        $purchase = ['purchase_code' => "SALE-$number", 'item' => ['id' => 101, 'name' => \str_repeat('name', 64)]];
        $memory->learn($file->hash("SALE-$number"), true, ['purchase' => $purchase, 'at' => 1.0], 2.0);
    }
    for ($number = 0; $number < 300; $number++) {
        $memory->learn($file->hash("GUESS-$number"), true, ['reason' => 'purchase_not_found', 'at' => 1.0], 2.0);
    }
});
$memory = $file->read();
$hasGrace = static function (int $number) use ($file, $memory): bool {
    return $memory->lastValid($file->hash("SALE-$number"), "SALE-$number", 3.0, 60) !== null;
};
echo \json_encode([
    'first' => $hasGrace(0),
    'second' => $hasGrace(1),
    'last' => $hasGrace(1000),
    'bytes' => \array_sum(\array_map('filesize', \glob("$argv[1]/*.php"))),
]);
