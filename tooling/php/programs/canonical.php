<?php

// Argument: a file with a JSON list of texts. Prints the canonical form of each.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$codes = \json_decode(\file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
echo \json_encode(\array_map([Saleproof\PurchaseCode::class, 'canonical'], $codes), JSON_THROW_ON_ERROR);
